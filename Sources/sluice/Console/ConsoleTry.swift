internal import SluiceContract
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceJSON
internal import SluiceSigning
internal import SluiceSockets

/// A request that the page sends to the daemon, at the daemon's own address, and its answer.
struct ConsoleTry {
    /// Of an answer's body.
    private static let bytesMax = 1 << 20
    private static let secondsMax = 30
    /// Fields for framing and routing, which the page may not set.
    private static let ownFields: Set = ["host", "connection", "content-length", "transfer-encoding", "te", "upgrade"]

    private var request: LocalRequest

    private struct Asked: Decodable {
        var method: String
        var target: String
        var fields: [[String]]?
        var body: String?
        var base64: String?
    }

    /// - Throws: why it cannot be sent.
    init(_ body: [UInt8]) throws(Problem) {
        guard let asked = try? JSONReading.value(Asked.self, of: body) else {
            throw Problem(
                .badBody, detail: #"A try is {"method": "GET", "target": "/…", "fields": [["name", "value"]]}."#)
        }
        let isTarget = asked.target.hasPrefix("/") && asked.target.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard Array(asked.method.utf8).withUnsafeBytes({ !$0.isEmpty && FieldValue.isToken($0) }), isTarget else {
            throw Problem(
                .badBody, detail: "A try needs a method, and a target that begins with '/' and has no blanks.")
        }
        request = LocalRequest(method: asked.method, target: asked.target, authority: "")
        for pair in asked.fields ?? [] {
            guard pair.count == 2, LocalRequest.isValid((pair[0], pair[1])),
                !Self.ownFields.contains(pair[0].lowercased())
            else {
                throw Problem(.badBody, detail: "'\(pair.first ?? "")' is no field that a try can have.")
            }
            request.fields.append((pair[0], pair[1]))
        }
        if let text = asked.body { request.body = Array(text.utf8) }
        if let text = asked.base64 {
            guard let bytes = Base64.decode(Array(text.utf8)) else {
                throw Problem(.badBody, detail: "'base64' is no Base64 (RFC 4648 §4).")
            }
            request.body = bytes
        }
    }

    func send(to daemon: Result<LocalAddress, Problem>) throws(Problem) -> ConsoleAnswer {
        let address = try daemon.get()
        var request = request
        request.authority = address.authority
        let start = MonotonicClock.now()
        let deadline = start + UInt64(Self.secondsMax) * 1_000_000_000
        var head: LocalClient.Answer?
        var body: [UInt8] = []
        var isCut = false
        do throws(StreamSocket.Failure) {
            let reader = try LocalAnswerReader(
                request, to: address.socket, seconds: Self.secondsMax, deadline: deadline)
            reading: while true {
                switch try reader.next() {
                case .head(let answer): head = answer
                case .body(let bytes):
                    let room = Self.bytesMax - body.count
                    body += bytes.prefix(room)
                    isCut = bytes.count > room
                    if isCut { break reading }
                case .end: break reading
                }
            }
        } catch {
            if head == nil { throw ConsoleConnection.problem(error) }
            // A partial answer is shown, too.
            isCut = true
        }
        guard let head else { throw Problem(.connectionReset, detail: "The daemon's answer has no head.") }
        let microseconds = Int((MonotonicClock.now() - start) / 1000)
        return ConsoleAnswer(200, Self.report(head, body, isCut: isCut, microseconds))
    }

    private static func report(
        _ head: LocalClient.Answer, _ body: [UInt8], isCut: Bool, _ microseconds: Int
    ) -> JSONValue {
        let text = String(validating: body, as: UTF8.self)
        let thousandths = String(microseconds % 1000 + 1000).dropFirst()
        return .object([
            ("status", .number(head.status)), ("reason", .string(head.reason)),
            ("fields", .array(head.fields.map { .array([.string($0.name), .string($0.value)]) })),
            ("body", text.map { .string($0) } ?? .null),
            ("base64", text == nil ? .string(Base64.text(body)) : .null),
            ("milliseconds", .verbatim("\(microseconds / 1000).\(thousandths)")), ("size", .number(body.count)),
            ("cut", .bool(isCut)),
        ])
    }
}
