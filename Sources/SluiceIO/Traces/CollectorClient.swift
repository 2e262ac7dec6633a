internal import SluiceContract
internal import SluiceFiles
internal import SluiceHTTP

/// Sends batches to one collector, one after the other, on a thread that may block. Connections are reused where
/// possible.
final class CollectorClient {
    private let settings: TraceSettings
    private let endpoint: EndpointURL
    private let agent: String
    private let credentialsDirectory: String?
    private var connection: Connection?

    /// For connecting, and for all of a request and its answer after that (OTLP: 10 seconds).
    private static let connectLimit = Duration.seconds(5)
    private static let limit = Duration.seconds(10)

    /// - Parameter agent: the value of `User-Agent`.
    init(_ settings: TraceSettings, at endpoint: EndpointURL, agent: String, credentialsDirectory: String?) {
        self.settings = settings
        self.endpoint = endpoint
        self.agent = agent
        self.credentialsDirectory = credentialsDirectory
    }

    /// Sends a batch and waits for the answer.
    func send(_ body: [UInt8]) -> CollectorAnswer {
        let head: [UInt8]
        do throws(TokenFileError) { head = try self.head(of: body.count) } catch {
            return .notNow(reason: "\(error)", seconds: nil)
        }
        do {
            if let known = connection {
                connection = nil
                if let answer = try ask(known, head + body) { return answer }
            }
            guard let answer = try ask(try open(), head + body) else {
                return .notNow(reason: "it closes connections without an answer", seconds: nil)
            }
            return answer
        } catch {
            return .notNow(reason: "\(error)", seconds: nil)
        }
    }

    /// - Returns: nil where the connection ended before any of the answer, as an idle connection may: the request may
    ///   then be sent again.
    private func ask(_ connection: Connection, _ request: [UInt8]) throws(BlockingStream.Failure) -> CollectorAnswer? {
        guard let (answer, isReusable) = try connection.ask(request, by: .init(in: Self.limit, "no answer in time"))
        else { return nil }
        if isReusable { self.connection = connection }
        return answer
    }

    private func open() throws -> Connection {
        // Read with each connection: certificates change.
        let context = endpoint.isSecure ? try TLSContext.client(settings.tls) : nil
        return Connection(
            try BlockingStream.connect(
                host: endpoint.host, port: endpoint.port, tls: context,
                by: .init(in: Self.connectLimit, "no connection in time")))
    }

    private func head(of length: Int) throws(TokenFileError) -> [UInt8] {
        var lines = [
            "POST \(endpoint.target) HTTP/1.1", "Host: \(endpoint.authority)", "User-Agent: \(agent)",
            "Content-Type: application/x-protobuf", "Content-Length: \(length)",
        ]
        if let bearer = settings.bearer { lines.append("Authorization: Bearer \(try secret(bearer))") }
        for header in settings.headers {
            lines.append("\(header.name): \(try header.secret.map(secret) ?? header.value)")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func secret(_ source: TokenSource) throws(TokenFileError) -> String {
        let text = try source.secret(credentialsDirectory: credentialsDirectory)
        // A line end in a variable would end the field, or the head.
        guard Array(text.utf8).withUnsafeBytes({ FieldValue.isValid($0) }) else {
            let place =
                switch source {
                case .env(let name), .file(let name): name
                case .value: "a value"
                }
            throw TokenFileError(path: place, reason: "it holds a byte that no field may hold, such as a line end")
        }
        return text
    }
}

extension CollectorClient {
    /// One connection to the collector.
    private final class Connection {
        private let stream: BlockingStream
        private var machine = HTTP1ClientMachine(limits: HTTP1Limits(Limits()))
        private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        /// A longer answer is not read to its end.
        private static let answerBytesMax = 64 << 10
        /// The part of the answer that is kept: it holds the number of refused spans.
        private static let keptBytesMax = 4 << 10

        init(_ stream: BlockingStream) {
            self.stream = stream
        }

        deinit { piece.deallocate() }

        /// - Returns: the answer, and whether another request may follow; nil where the connection had ended.
        func ask(
            _ request: [UInt8], by deadline: BlockingStream.Deadline
        ) throws(BlockingStream.Failure) -> (CollectorAnswer, Bool)? {
            do throws(BlockingStream.Failure) {
                try stream.send(request, by: deadline)
            } catch {
                if deadline.isOver { throw error }
                return nil
            }
            machine.requestSent(method: .post)
            var head = ResponseHead()
            var trailers = HeaderBlock()
            var answer: CollectorAnswer?
            var kept: [UInt8] = []
            var received = 0
            var hasBegun = false
            while true {
                switch machine.next(&head, trailers: &trailers) {
                case .needMore:
                    machine.settle()
                    let count: Int
                    do throws(BlockingStream.Failure) {
                        count = try stream.receive(into: piece, by: deadline)
                    } catch {
                        if deadline.isOver || hasBegun { throw error }
                        return nil
                    }
                    hasBegun = hasBegun || count > 0
                    if count == 0 {
                        machine.inputClosed()
                    } else {
                        machine.feed(UnsafeRawBufferPointer(rebasing: piece[..<count]))
                    }
                case .interim: head.reset()
                case .response: answer = CollectorAnswer(head)
                case .body(let bytes):
                    received += bytes.count
                    kept += bytes.prefix(Self.keptBytesMax - kept.count)
                    if received > Self.answerBytesMax, let answer { return (answer, false) }
                case .end(let isReusable):
                    machine.settle()
                    guard let answer else { throw .init(description: "an answer without a head") }
                    return (answer.reading(kept), isReusable)
                case .malformed(let reason): throw .init(description: "\(reason)")
                case .closedIdle: return nil
                case .truncated: throw .init(description: "the connection broke off")
                }
            }
        }
    }
}

extension CollectorAnswer {
    fileprivate init(_ head: borrowing ResponseHead) {
        let field = head.fields.firstIndex(of: .retryAfter)
        let seconds = field.flatMap { Int(String(decoding: head.fields.value($0), as: UTF8.self)) }
        self.init(status: head.status, retryAfter: seconds)
    }
}

extension EndpointURL {
    /// `host[:port]`, as `Host` has it (RFC 9110 §7.2).
    fileprivate var authority: String { String(site.drop { $0 != "/" }.dropFirst(2)) }
}
