internal import SluiceConsole
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceJSON
internal import SluiceSockets
internal import Synchronization

/// One request to the console's server, and its answer.
struct ConsoleConnection {
    private static let linkBytesMax = 1 << 10
    private static let triedBytesMax = 4 << 20
    /// For a request, its head and its body together: clients are on this machine.
    private static let requestLimit = Duration.seconds(10)
    /// Between two pieces of an answer that has an end: a walk through a full cache takes a while.
    private static let answerSeconds = 60

    let socket: StreamSocket
    let server: ConsoleServer

    init(_ socket: StreamSocket, of server: ConsoleServer) {
        self.socket = socket
        self.server = server
    }

    func serve() {
        do throws(Problem) {
            var action = ConsoleAction.sendFile("")
            let deadline = MonotonicClock.now() + Self.requestLimit.nanosecondsClamped
            let request = try ServedRequest.read(from: socket, before: deadline) { head throws(Problem) in
                action = try server.gate.withLock { gate throws(Problem) in try gate.judge(ConsoleRequest(head)) }
                return switch action {
                case .openSession: Self.linkBytesMax
                case .tryOut: Self.triedBytesMax
                case .sendFile, .ask, .beginSignIn, .awaitSignIn: 0
                }
            }
            if let request { try carryOut(action, request) }
        } catch {
            answer(ConsoleAnswer(error))
        }
    }

    private func carryOut(_ action: ConsoleAction, _ request: ServedRequest) throws(Problem) {
        switch action {
        case .sendFile(let name):
            guard let file = PageFile.all[name] else { preconditionFailure("no such file: \(name)") }
            answer(ConsoleAnswer(200, type: file.type, Array(file.bytes)), isHeadOnly: request.method == "HEAD")
        case .openSession:
            guard let opening = try? JSONReading.value(Opening.self, of: request.body) else {
                throw Problem(.badBody, detail: #"A link is opened by {"link": "…"}."#)
            }
            let key = try server.gate.withLock { gate throws(Problem) in try gate.redeem(opening.link) }
            answer(ConsoleAnswer(200, .object([("key", .string(key))])))
        case .ask(let path): try pass(path, request)
        case .beginSignIn(let name): answer(try server.signIns.begin(name))
        case .awaitSignIn(let name): answer(try server.signIns.wait(name, query: request.query))
        case .tryOut: answer(try ConsoleTry(request.body).send(to: server.daemon))
        }
    }

    private struct Opening: Decodable {
        var link: String
    }

    // MARK: - Answers

    private func answer(_ answer: ConsoleAnswer, isHeadOnly: Bool = false) {
        var outbox = Outbox()
        answer.writeHead(into: &outbox)
        HTTP1Writer.field(.contentLength, decimal: answer.body.count, into: &outbox)
        HTTP1Writer.endOfHead(into: &outbox)
        if !isHeadOnly { outbox.append(answer.body) }
        _ = socket.write(&outbox)
    }

    // MARK: - The admin socket

    /// Fields that the page may pass to the admin socket.
    private static let passedFields = ["accept", "explain-request", "explain-field"]

    /// Asks the admin socket, and passes its answer on as it arrives.
    private func pass(_ path: String, _ request: ServedRequest) throws(Problem) {
        let target = request.query.isEmpty ? path : "\(path)?\(request.query)"
        var asked = LocalRequest(method: request.method, target: target, authority: "localhost")
        asked.fields = request.fields.filter { Self.passedFields.contains($0.name.lowercased()) }
        // A POST needs a `Content-Length` (RFC 9110 §8.6).
        if request.method == "POST" { asked.body = [] }
        let isEndless = path == "/requests"
        var isBegun = false
        do throws(StreamSocket.Failure) {
            let reader = try LocalAnswerReader(
                asked, to: server.admin, seconds: isEndless ? 0 : Self.answerSeconds, for: socket)
            var isOver = false
            while !isOver {
                var outbox = Outbox()
                switch try reader.next() {
                case .head(let head):
                    isBegun = true
                    ConsoleAnswer(head).writeHead(into: &outbox)
                    HTTP1Writer.field(.transferEncoding, "chunked", into: &outbox)
                    HTTP1Writer.endOfHead(into: &outbox)
                case .body(let bytes): if !bytes.isEmpty { HTTP1Writer.chunk(bytes, into: &outbox) }
                case .end:
                    isOver = true
                    HTTP1Writer.lastChunk(into: &outbox)
                }
                guard socket.write(&outbox) else { return }
            }
        } catch {
            // An answer that has begun ends without its last chunk, so that the page notices.
            if !isBegun { throw Self.problem(error) }
        }
    }

    static func problem(_ failure: StreamSocket.Failure) -> Problem {
        var problem = Problem(
            failure.isUnconnected ? .connectionRefused : .connectionReset,
            detail: "The daemon cannot be asked: \(failure)\(AdminClient.advice(failure))")
        problem.source = .gateway
        return problem
    }
}

extension ConsoleRequest {
    fileprivate init(_ request: ServedRequest) {
        self.init(
            method: request.method, path: request.path, hosts: request.values(of: "host"),
            origins: request.values(of: "origin"), fetchSites: request.values(of: "sec-fetch-site"),
            authorizations: request.values(of: "authorization"))
    }
}
