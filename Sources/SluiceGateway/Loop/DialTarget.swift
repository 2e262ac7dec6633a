public import SluiceContract

/// The target of a link's connection.
public class DialTarget {
    /// The settings of its upstream.
    public final let settings: Upstream
    public final let origin: Upstream.Origin
    /// `host[:port]` for the `Host` field (RFC 9110 §7.2).
    final let authority: [UInt8]
    /// Whether the connection uses TLS.
    final let isSecure: Bool

    init(_ settings: Upstream, _ origin: Upstream.Origin) {
        self.settings = settings
        self.origin = origin
        if case .tcp(_, _, tls: true) = origin { isSecure = true } else { isSecure = false }
        authority = Self.authority(of: origin)
    }

    /// The name for messages and logs.
    final var site: String {
        if case .unix(let path) = origin { return "unix:\(path)" }
        return (isSecure ? "https://" : "http://") + String(decoding: authority, as: UTF8.self)
    }

    private static func authority(of origin: Upstream.Origin) -> [UInt8] {
        switch origin {
        case .unix: return Array("localhost".utf8)
        case .tcp(let host, let port, let tls):
            let name = host.contains(":") ? "[\(host)]" : host
            return Array((port == (tls ? 443 : 80) ? name : "\(name):\(port)").utf8)
        }
    }
}
