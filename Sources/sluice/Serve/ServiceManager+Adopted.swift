internal import SluiceContract
internal import SluiceIO

extension ServiceManager {
    /// The configuration as it is served here: sockets that the service manager opened take the place of `listen:`,
    /// whose settings stay for those addresses that both have.
    func adopted(by configuration: SluiceContract.Configuration) -> SluiceContract.Configuration {
        let inherited = sockets.compactMap(\.address).compactMap { address in
            configuration.listen.first { SocketAddress($0.address) == address }
                ?? Listener.Address(address).map { Listener($0) }
        }
        if inherited.isEmpty { return configuration }
        var configuration = configuration
        configuration.listen = inherited
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
