/// A URL of an authorization server, taken apart (RFC 3986 §3); http and https alone.
public struct EndpointURL: Hashable, Sendable {
    public var isSecure: Bool
    /// IPv6 without brackets.
    public var host: String
    public var port: Int
    /// Path and query, as they are sent; begins with a slash.
    public var target: String

    public init?(_ text: String) {
        let schemes = [("https://", true, 443), ("http://", false, 80)]
        guard let (scheme, isSecure, usual) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        self.isSecure = isSecure
        var name = authority
        port = usual
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            name = authority[authority.index(after: authority.startIndex)..<close]
            let behind = authority[authority.index(after: close)...]
            if !behind.isEmpty {
                guard behind.hasPrefix(":"), let number = Int(behind.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = authority.lastIndex(of: ":") {
            guard let number = Int(authority[authority.index(after: colon)...]) else { return nil }
            name = authority[..<colon]
            port = number
        }
        guard !name.isEmpty, (1...65_535).contains(port) else { return nil }
        host = name.lowercased()
        let target = String(rest[end...])
        self.target = target.hasPrefix("/") ? target : "/" + target
    }

    public var origin: Upstream.Origin { .tcp(host: host, port: port, tls: isSecure) }

    /// Scheme and authority, for messages.
    public var site: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + name + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }
}
