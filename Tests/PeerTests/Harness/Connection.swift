import Glibc

/// One end of a blocking stream, with a bound on every wait. Either end of a test uses it: client and scripted origin.
final class Connection: @unchecked Sendable {
    let descriptor: Int32

    /// Takes the ownership of a connected socket.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects to 127.0.0.1.
    convenience init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.init(descriptor: descriptor)
        let result = LoopbackAddress(port: port).withSocketAddress { connect(descriptor, $0, $1) }
        guard result == 0 else { throw HarnessError("connect to port \(port): \(errorText())") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a Unix socket.
    convenience init(unixPath path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.init(descriptor: descriptor)
        let result = UnixAddress(path: path).withSocketAddress { connect(descriptor, $0, $1) }
        guard result == 0 else { throw HarnessError("connect to \(path): \(errorText())") }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of `bytes`; false where the peer is gone or does not read any more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard wait(for: Int16(POLLOUT)) else { return false }
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress! + sent, bytes.count - sent,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else if errno != EAGAIN && errno != EINTR {
                return false
            }
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    enum Received: Equatable {
        case bytes([UInt8])
        /// The peer has closed its side.
        case end
        case reset
        /// Nothing came within the test's patience.
        case nothing
    }

    /// Waits for some bytes.
    func receive(most: Int = 1 << 16) -> Received {
        guard wait(for: Int16(POLLIN)) else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, most, 0)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        return count == 0 ? .end : .reset
    }

    /// No more will be sent; reading goes on.
    func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends both directions; whoever waits on this connection wakes up.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the connection with RST in place of an orderly end.
    func reset() {
        // Connecting to no address aborts a TCP connection at once, whoever still holds the descriptor (connect(2)).
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private func wait(for events: Int16) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let ready = poll(&entry, 1, Patience.milliseconds)
            if ready < 0 && errno == EINTR { continue }
            return ready > 0
        }
    }
}

/// The text of `errno`.
func errorText() -> String {
    String(cString: strerror(errno))
}
