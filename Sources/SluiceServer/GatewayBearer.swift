internal import SluiceContract

/// Where the token comes from that a gateway shows to its upstream. Programs and clients never see it.
public enum GatewayBearer: Sendable, Hashable {
    /// A variable of the environment. It is taken out of there when the gateway starts.
    case environment(String)
    /// A file, read again whenever it changes; only its owner may read it.
    case file(String)
    /// The token itself, for tests.
    case value(String)

    var source: TokenSource {
        switch self {
        case .environment(let name): .env(name)
        case .file(let path): .file(path)
        case .value(let token): .value(token)
        }
    }
}
