internal import CLinux
internal import SluiceContract
internal import SluiceGateway
internal import SluiceSockets
internal import Glibc

/// Accepts clients on one listening socket for one loop.
final class Acceptor {
    let descriptor: Int32
    private let tls: ListenerTLS?
    private let peer: Transport.Peer
    private var isUnix: Bool { peer == .unixSocket }
    private let isHTTP2: Bool
    private var access: ListenerAccess
    var isMonitor: Bool { access.admin == .monitoring }
    private let census: ConnectionCensus
    private let reserve: DescriptorReserve
    /// The descriptor of the latest client.
    private var last: Int32 = 0
    /// The address of the latest client: most clients come from the same address, and share its text.
    private var lastAddress: [UInt8] = []
    /// Clients accepted in one turn at most, so that a burst does not starve open connections.
    private static let burst = 64
    /// Clients that can wait in the queue of a socket: one more than the backlog.
    private static let waitingMax = Int(Socket.backlog) + 1
    /// What says nothing of those that wait behind: one client has left meanwhile, or its network is in trouble, which
    /// accept(2) passes on from the connection that it would return.
    private static let errorsOfOne: Set<Int32> = [
        ECONNABORTED, EINTR, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH,
    ]

    init(
        descriptor: Int32, listener: Listener, tls: ListenerTLS?, census: ConnectionCensus, reserve: DescriptorReserve
    ) {
        self.descriptor = descriptor
        self.tls = tls
        isHTTP2 = listener.http2
        self.census = census
        self.reserve = reserve
        let admin: AdminAccess? =
            switch listener.purpose {
            case .bindings: nil
            case .administration: AdminAccess(owner: geteuid())
            case .monitoring: .monitoring
            }
        access = ListenerAccess(grants: listener.grants, admin: admin)
        // Who a client is must not depend on whether an address can be read.
        peer =
            listener.address.isUnix ? .unixSocket : SocketAddress(listener.address).map(Transport.Peer.init) ?? .network
    }

    /// Goes on where another acceptor of the same socket has stopped: the clients that it has accepted are judged by
    /// the grants and the purpose of this one, from their next request on.
    func succeed(_ other: Acceptor) {
        other.access.grants = access.grants
        other.access.admin = access.admin
        access = other.access
    }

    /// Accepts clients that wait, as many as a turn may take.
    func accept(_ loop: EventLoop) { accept(atMost: Self.burst, loop) }

    /// Accepts all clients that wait, as far as there are descriptors for them.
    func acceptAll(_ loop: EventLoop) { accept(atMost: Self.waitingMax, loop) }

    private func accept(atMost count: Int, _ loop: EventLoop) {
        for _ in 0..<count {
            // A client that cannot be served yet waits in the queue of the socket.
            if reserve.isReached(last: last, probing: descriptor) {
                loop.shortages?.descriptors.occurred(at: loop.gateway.now)
                return loop.descriptorsExhausted()
            }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let client = withUnsafeMutableBytes(of: &storage) { clinux_accept(descriptor, $0.baseAddress, &length) }
            guard client >= 0 else {
                let code = errno
                if Self.errorsOfOne.contains(code) { continue }
                // Out of descriptors or memory: the client stays in the queue, and would be reported again at once.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
                    loop.shortages?.descriptors.occurred(at: loop.gateway.now, SystemCall.reason(code))
                    loop.descriptorsExhausted()
                }
                return
            }
            last = client
            take(client, storage, length, loop)
        }
    }

    private func text(of storage: sockaddr_storage, _ length: socklen_t) -> [UInt8] {
        let host = withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                SocketAddress(address, length: length)?.host ?? ""
            }
        }
        if !lastAddress.elementsEqual(host.utf8) { lastAddress = Array(host.utf8) }
        return lastAddress
    }

    private func take(_ client: Int32, _ storage: sockaddr_storage, _ length: socklen_t, _ loop: EventLoop) {
        let address = isUnix ? [] : text(of: storage, length)
        let credentials = isUnix ? Socket.peerCredentials(client) : nil
        guard let place = census.enter(ClientIdentity(address: address, credentials: credentials)) else {
            close(client)
            let shortage = census.isFull ? loop.shortages?.connections : loop.shortages?.connectionsPerClient
            shortage?.occurred(at: loop.gateway.now)
            return
        }
        if !isUnix { Socket.setNoDelay(client) }
        let link = loop.gateway.accepted(
            address: address, isTLS: tls != nil, isHTTP2: isHTTP2, credentials: credentials, access: access)
        let transport = Transport(
            descriptor: client, registration: loop.nextRegistrationNumber(), link: link,
            tls: tls.map { TLSSession(server: $0.current) }, peer: peer)
        transport.place = place
        if !loop.adopt(transport, isRegistered: false) {
            close(client)
            place.leave()
            link.failed(TransportFailure(.overloaded, "No room to watch another connection."))
        }
    }
}
