internal import SluiceContract

/// Where a gateway listens.
public enum GatewayPlace: Sendable, Hashable {
    /// A port of an address of this machine. Port 0 is a free one.
    case tcp(host: String = "127.0.0.1", port: Int)
    /// A Unix socket that the gateway makes, for its own user and group.
    case unix(path: String)

    var listener: Listener {
        switch self {
        case .tcp(let host, let port): Listener(.tcp(host: host, port: port))
        case .unix(let path): Listener(.unix(path: path))
        }
    }
}
