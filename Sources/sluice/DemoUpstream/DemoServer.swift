internal import Dispatch
internal import SluiceIO
internal import SluiceSockets
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The demo API's listening socket: a thread per connection, so that it reads like the API it pretends to be.
final class DemoServer: Sendable {
    /// Threads at once; a client beyond them waits in the queue of the socket.
    private static let connectionsMax = 256

    let address: SocketAddress
    private let descriptor: Int32
    private let api = FruitAPI()
    private let places = DispatchSemaphore(value: connectionsMax)
    private let count = Atomic<Int>(0)

    init(_ wanted: SocketAddress) throws(StreamSocket.Failure) {
        func failure(_ reason: String) -> StreamSocket.Failure { .init(description: "\(wanted) \(reason)") }
        let family =
            switch wanted.family {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        if let path = wanted.path { unlink(path) }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard wanted.withSockAddr({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 128) == 0 else {
            let isTaken = errno == EADDRINUSE
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw failure(
                isTaken
                    ? "is in use by another program; choose another with --listen" : "could not be opened: \(reason)")
        }
        self.descriptor = descriptor
        // A port 0 has become a real one.
        address = SocketAddress(localOf: descriptor) ?? wanted
    }

    /// Serves until the process ends.
    func serve() {
        while true {
            places.wait()
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else {
                places.signal()
                // Out of descriptors: those who are served give some back.
                if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
                continue
            }
            count.add(1, ordering: .relaxed)
            ServiceThread.run("sluice-client") { [self] in
                DemoConnection(StreamSocket(descriptor: client), api: api, isBusy: isBusy).serve()
                count.subtract(1, ordering: .relaxed)
                places.signal()
            }
        }
    }

    /// Idle connections must not keep new ones out, so half of the places are for one request each.
    @Sendable private func isBusy() -> Bool { count.load(ordering: .relaxed) > Self.connectionsMax / 2 }
}
