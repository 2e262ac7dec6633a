internal import SluiceIO
internal import SluiceSockets
internal import Glibc

/// A listening socket for verbs that serve; its calls block. Closed with the object.
final class ListeningSocket: Sendable {
    /// A port 0 has become a real one.
    let address: SocketAddress
    private let descriptor: Int32

    /// - Parameter advice: what to do where another program has the address.
    init(_ wanted: SocketAddress, backlog: Int32, advice: String) throws(StreamSocket.Failure) {
        let family =
            switch wanted.family {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        if let path = wanted.path { Socket.removeStale(path) }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard wanted.withSockAddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            let isTaken = code == EADDRINUSE
            throw .init(
                description: isTaken
                    ? "\(wanted) is in use by another program; \(advice)"
                    : "\(wanted) could not be opened: \(String(cString: strerror(code)))")
        }
        self.descriptor = descriptor
        address = SocketAddress(localOf: descriptor) ?? wanted
    }

    deinit { close(descriptor) }

    /// The next client.
    /// - Returns: nil once it is stopped.
    func accept() -> StreamSocket? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            if client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                return StreamSocket(descriptor: client)
            }
            if errno == EINVAL { return nil }
            // Out of descriptors: connections that end give some back.
            if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
        }
    }

    /// The next client that comes before a time in nanoseconds of ``MonotonicClock``.
    /// - Returns: nil where none comes in time, or it is stopped.
    func accept(before deadline: UInt64) -> StreamSocket? {
        while true {
            let now = MonotonicClock.now()
            guard now < deadline else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1)) > 0 { return accept() }
        }
    }

    /// Ends calls of ``accept()`` that wait; from any thread.
    func stop() { shutdown(descriptor, Int32(SHUT_RD)) }
}
