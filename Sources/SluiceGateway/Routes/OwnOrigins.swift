internal import SluiceContract

/// The names by which clients reach this gateway, according to its configuration. Where the upstream is told the name
/// (``ForwardedRule``), an answer may be stored for each of them. Used for requests that no client has sent.
struct OwnOrigins: Sendable {
    struct Origin: Sendable, Hashable {
        /// What `Host` says.
        var authority: String
        /// Whether clients connect by TLS.
        var isSecure: Bool
    }

    private(set) var all: [Origin] = []
    private static let originsMax = 256

    /// The first listener's own address is the first one.
    init(_ configuration: Configuration) {
        let listeners = configuration.listen
        var names = ["localhost", "127.0.0.1", "::1"]
        if case .names(let extra) = configuration.hosts { names = extra + names }
        for listener in listeners {
            let isSecure = listener.tls != nil
            if case .tcp(let host, let port) = listener.address {
                for name in [host] + names { add(name, port: port, isSecure) }
            }
            // Names without a port: for the usual port, and for clients of Unix sockets.
            for name in names { add(name, port: nil, isSecure) }
        }
    }

    private mutating func add(_ name: String, port: Int?, _ isSecure: Bool) {
        let host = name.contains(":") ? "[\(name)]" : name
        let origin = Origin(authority: host + (port.map { ":\($0)" } ?? ""), isSecure: isSecure)
        if all.count < Self.originsMax, !all.contains(origin) { all.append(origin) }
    }

    /// The origins for a request that names its host itself.
    func named(_ authority: String) -> [Origin] {
        let known = all.filter { $0.authority == authority }
        if !known.isEmpty { return known }
        let schemes = Set(all.map(\.isSecure)).sorted { !$0 && $1 }
        return (schemes.isEmpty ? [false] : schemes).map { Origin(authority: authority, isSecure: $0) }
    }
}
