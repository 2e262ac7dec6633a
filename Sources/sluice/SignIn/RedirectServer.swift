internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Where a browser is sent back to after a sign-in: a port of the loopback that answers until the one request that it
/// waits for has come (RFC 8252 §7.3).
final class RedirectServer {
    /// A request that takes longer is no browser's.
    private static let requestSeconds = 5

    /// What came back.
    enum Answer {
        /// With whom it names as the one who answers (RFC 9207 §2).
        case code(String, issuer: String?)
        case refused(String)
    }

    private let descriptor: Int32
    private let path: String
    /// As the authorization endpoint is told.
    let redirect: String

    /// - Parameter port: 0 is any free one.
    init(port: Int, path: String) throws(StreamSocket.Failure) {
        guard let wanted = SocketAddress(literal: "127.0.0.1", port: port) else {
            throw .init(description: "\(port) is no port")
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard wanted.withSockAddr({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 8) == 0,
            let address = SocketAddress(localOf: descriptor)
        else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .init(description: "\(wanted) could not be opened: \(reason); set 'redirect-port:'")
        }
        self.descriptor = descriptor
        self.path = path
        redirect = "http://\(address)\(path)"
    }

    deinit { close(descriptor) }

    /// Waits for the browser. Whatever else is asked for is not here, and a wrong state is somebody else's answer.
    /// - Returns: nil where nobody came in time.
    func wait(for authorization: SignInAnswer.Authorization, seconds: Int) -> Answer? {
        let deadline = MonotonicClock.now() + UInt64(seconds) * 1_000_000_000
        while true {
            let now = MonotonicClock.now()
            guard now < deadline else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32((deadline - now) / 1_000_000 + 1)) > 0 else { continue }
            let client = accept(descriptor, nil, nil)
            if client < 0 { continue }
            let socket = StreamSocket(descriptor: client)
            socket.setTimeout(seconds: Self.requestSeconds)
            if let answer = serve(socket, authorization) { return answer }
        }
    }

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
        var machine = HTTP1ServerMachine(limits: HTTP1Limits(Limits()))
        var head = RequestHead()
        var trailers = HeaderBlock()
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { input.deallocate() }
        while let count = socket.read(into: input), count > 0 {
            machine.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
            switch machine.next(&head, trailers: &trailers) {
            case .needMore: machine.settle()
            case .request:
                guard head.method == .get, head.path.elementsEqual(path.utf8) else { return nil }
                return parameters(of: head.query)
            default: return nil
            }
        }
        return nil
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
