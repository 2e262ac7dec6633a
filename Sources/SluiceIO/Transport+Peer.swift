internal import SluiceSockets

extension Transport {
    /// Where the peer is.
    enum Peer {
        case unixSocket
        /// At a loopback address.
        case host
        case network

        init(_ address: SocketAddress) {
            self = address.family == .unix ? .unixSocket : address.isLoopback ? .host : .network
        }
    }
}
