internal import SluiceContract
internal import SluiceIO

extension ServiceManager {
    /// The configuration with every inherited socket under `listen:` that is not there already: what a socket unit
    /// opened is served, whether or not the configuration repeats it.
    func adopted(by configuration: SluiceContract.Configuration) -> SluiceContract.Configuration {
        var configuration = configuration
        for address in sockets.compactMap(\.address) {
            let isListed = configuration.listen.contains { SocketAddress($0.address) == address }
            guard !isListed, let place = Listener.Address(address) else { continue }
            configuration.listen.append(Listener(place))
        }
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
