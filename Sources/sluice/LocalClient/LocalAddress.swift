internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets

/// The address of a daemon on this machine, and its `Host`.
struct LocalAddress {
    let socket: SocketAddress
    let authority: String
    let isTLS: Bool

    /// Nil for an address that cannot be one.
    init?(_ listener: Listener) {
        isTLS = listener.tls != nil
        switch listener.address {
        case .unix(let path):
            guard let socket = SocketAddress(unixPath: path) else { return nil }
            self.socket = socket
            authority = "localhost"
        case .tcp(let host, let port):
            // Listening everywhere includes the loopback.
            let near = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
            guard let socket = SocketAddress(literal: near, port: port) else { return nil }
            self.socket = socket
            authority = "\(socket)"
        }
    }

    /// `http://127.0.0.1:8080` or `unix:/run/sluice.sock`; https and names other than localhost are not for this.
    init?(url: String) {
        if url.hasPrefix("unix:") {
            self.init(Listener(.unix(path: String(url.dropFirst(5)))))
            return
        }
        guard url.hasPrefix("http://") else { return nil }
        let authority = url.dropFirst(7).prefix { $0 != "/" }
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        guard let port = colon.map({ Int(authority[authority.index(after: $0)...]) }) ?? 80 else { return nil }
        var host = String(authority[..<(colon ?? authority.endIndex)])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.init(Listener(.tcp(host: host == "localhost" ? "127.0.0.1" : host, port: port)))
    }

    /// The first listener, one without TLS if there is any.
    init?(_ configuration: Configuration) {
        let listener = configuration.listen.first { $0.tls == nil } ?? configuration.listen.first
        guard let listener else { return nil }
        self.init(listener)
    }
}
