internal import Dispatch
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets
internal import Synchronization

/// Receives the browser's redirect after a sign-in: a port of the loopback that answers until the expected request has
/// come (RFC 8252 §7.3).
final class RedirectServer: Sendable {
    /// A request that takes longer, its head and its body together, is no browser's.
    private static let requestLimit = Duration.seconds(5)
    /// For each piece of an answer.
    private static let answerSeconds = 5
    /// Requests at once: browsers connect ahead of time and say nothing, and so may anybody on this machine.
    private static let connectionsMax = 32

    /// The parameters of the redirect.
    enum Answer {
        /// With whom it names as the one who answers (RFC 9207 §2).
        case code(String, issuer: String?)
        case refused(String)
    }

    private let socket: ListeningSocket
    private let places = DispatchSemaphore(value: connectionsMax)
    /// The answer, once it is there.
    private let outcome = Mutex<Answer?>(nil)
    private let path: String
    /// As the authorization endpoint is told.
    let redirect: String

    /// - Parameter port: 0 is any free one.
    init(port: Int, path: String) throws(StreamSocket.Failure) {
        guard let wanted = SocketAddress(literal: "127.0.0.1", port: port) else {
            throw .init(description: "\(port) is no port")
        }
        socket = try ListeningSocket(wanted, backlog: 8, advice: "set 'redirect-port:'")
        self.path = path
        redirect = "http://\(socket.address)\(path)"
    }

    /// Waits for the browser. Other paths are not found, and a wrong state belongs to another sign-in. To be called
    /// once.
    /// - Returns: nil where the browser did not come in time.
    func wait(for authorization: SignInAnswer.Authorization, seconds: Int) -> Answer? {
        let deadline = MonotonicClock.now() + UInt64(seconds) * 1_000_000_000
        while places.wait(timeout: .now() + Self.left(until: deadline)) == .success {
            guard let client = socket.accept(before: deadline) else {
                places.signal()
                break
            }
            ServiceThread.run("sluice-browser") { [self] in
                client.setTimeout(seconds: Self.answerSeconds)
                if let answer = serve(client, authorization) { end(with: answer) }
                places.signal()
            }
        }
        return outcome.withLock { $0 }
    }

    private static func left(until deadline: UInt64) -> DispatchTimeInterval {
        let now = MonotonicClock.now()
        return .nanoseconds(now < deadline ? Int(clamping: deadline - now) : 0)
    }

    /// The first answer counts: a browser may send its own twice.
    private func end(with answer: Answer) {
        outcome.withLock { if $0 == nil { $0 = answer } }
        stop()
    }

    /// Ends the wait for the browser.
    func stop() { socket.stop() }

    private func serve(_ socket: StreamSocket, _ authorization: SignInAnswer.Authorization) -> Answer? {
        guard let query = Self.query(from: socket, path: path) else {
            answer(socket, status: 404, "There is nothing here.")
            return nil
        }
        guard query["state"] == authorization.state else {
            answer(socket, status: 400, "This is not the answer that was waited for. Start 'sluice login' again.")
            return nil
        }
        guard authorization.isFrom(query["iss"]) else {
            answer(socket, status: 400, "The answer comes from another server.")
            return .refused("the answer comes from another server than '\(authorization.issuer ?? "")'")
        }
        if let code = query["code"], !code.isEmpty {
            answer(socket, status: 200, "Signed in. You can close this page.")
            return .code(code, issuer: query["iss"])
        }
        let reason = query["error_description"] ?? query["error"] ?? "the answer has no code"
        answer(socket, status: 200, "Not signed in; the terminal tells more.")
        return .refused(String(reason.prefix(300)).filter { !$0.isNewline })
    }

    /// The parameters of a GET for `path`; nil for every other request.
    private static func query(from socket: StreamSocket, path: String) -> [String: String]? {
        let deadline = MonotonicClock.now() + requestLimit.nanosecondsClamped
        guard let request = try? ServedRequest.read(from: socket, before: deadline, admit: { _ in 0 }),
            request.method == "GET", request.path == path
        else { return nil }
        return Array(request.query.utf8).withUnsafeBytes { parameters(of: $0) }
    }

    private static func parameters(of query: UnsafeRawBufferPointer) -> [String: String]? {
        var found: [String: String] = [:]
        var pairs = QueryIterator(query)
        while let pair = pairs.next() {
            guard let name = Encoded.decoded(pair.name), let value = Encoded.decoded(pair.value), found[name] == nil
            else {
                return nil
            }
            found[name] = value
        }
        return found
    }

    private func answer(_ socket: StreamSocket, status: Int, _ text: String) {
        var outbox = Outbox()
        HTTP1Writer.statusLine(status: status, into: &outbox)
        let page = Array((text + "\n").utf8)
        outbox.append("Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n")
        outbox.append("Referrer-Policy: no-referrer\r\nConnection: close\r\n")
        HTTP1Writer.field(.contentLength, decimal: page.count, into: &outbox)
        HTTP1Writer.endOfHead(into: &outbox)
        outbox.append(page)
        _ = socket.write(&outbox)
    }
}
