internal import CLinux
internal import SluiceContract
internal import SluiceGateway
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Takes clients off one listening socket for one loop.
final class Acceptor {
    let descriptor: Int32
    private let tls: ListenerTLS?
    private let isUnix: Bool
    private let connectionsMax: Int
    /// Accepted in one turn at most, so that a burst of clients does not starve those who are there.
    private static let burst = 64

    init(descriptor: Int32, listener: Listener, tls: ListenerTLS?, connectionsMax: Int) {
        self.descriptor = descriptor
        self.tls = tls
        self.connectionsMax = connectionsMax
        if case .unix = listener.address { isUnix = true } else { isUnix = false }
    }

    func accept(_ loop: EventLoop) {
        for _ in 0..<Self.burst {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let client = withUnsafeMutableBytes(of: &storage) { clinux_accept(descriptor, $0.baseAddress, &length) }
            guard client >= 0 else {
                // Out of descriptors or memory: the client stays in the queue, and would be reported again at once.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { loop.descriptorsExhausted() }
                return
            }
            guard loop.gateway.counters.connections + loop.endingCount < connectionsMax else {
                close(client)
                continue
            }
            take(client, storage, length, loop)
        }
    }

    private static func text(of storage: sockaddr_storage, _ length: socklen_t) -> [UInt8] {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                SocketAddress(address, length: length)?.host.map { Array($0.utf8) } ?? []
            }
        }
    }

    private func take(_ client: Int32, _ storage: sockaddr_storage, _ length: socklen_t, _ loop: EventLoop) {
        if !isUnix { Socket.setNoDelay(client) }
        let address = isUnix ? [] : Self.text(of: storage, length)
        let link = loop.gateway.accepted(address: address, isTLS: tls != nil)
        let transport = Transport(
            descriptor: client, registration: loop.nextRegistrationNumber(), link: link,
            tls: tls.map { TLSSession(server: $0.current) })
        if !loop.adopt(transport, isRegistered: false) {
            close(client)
            link.failed(TransportFailure(.overloaded, "No room to watch another connection."))
        }
    }
}
