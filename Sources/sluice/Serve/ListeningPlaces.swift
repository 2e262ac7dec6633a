internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets

/// Addresses that take the place of `listen:`, at the start and after every reload: those of sockets that the service
/// manager opened, or else those that the command line gives.
struct ListeningPlaces {
    private let addresses: [SocketAddress]

    init(_ service: ServiceManager, given: [SocketAddress]) {
        let inherited = service.sockets.compactMap(\.address)
        addresses = inherited.isEmpty ? given : inherited
    }

    /// The configuration as it is served here. The settings of `listen:` stay for those addresses that both have.
    func arrange(_ configuration: SluiceContract.Configuration) -> SluiceContract.Configuration {
        let listeners = addresses.compactMap { address in
            configuration.listen.first { SocketAddress($0.address) == address }
                ?? Listener.Address(address).map { Listener($0) }
        }
        if listeners.isEmpty { return configuration }
        var configuration = configuration
        configuration.listen = listeners
        return configuration
    }
}

extension Listener.Address {
    fileprivate init?(_ address: SocketAddress) {
        if let host = address.host, let port = address.port {
            self = .tcp(host: host, port: port)
        } else if let path = address.path, !path.isEmpty {
            self = .unix(path: path)
        } else {
            return nil
        }
    }
}
