internal import SluiceContract

/// An upstream's URL, taken apart.
public enum OriginText {
    package static let expected = "http://host[:port][/base], https://host[:port][/base] or unix:/path[:/base]"

    /// Why a text is no such URL, with the offset in bytes where it goes wrong.
    public struct Malformed: Error, Sendable {
        public var offset: Int
        public var message: String
        public var suggestion: Suggestion?

        init(_ offset: Int, _ message: String, _ suggestion: Suggestion? = nil) {
            (self.offset, self.message, self.suggestion) = (offset, message, suggestion)
        }

        /// What would be right.
        public var expected: String { OriginText.expected }
    }

    /// Reads `http://host[:port][/base]`, `https://…` or `unix:/path[:/base]`.
    public static func read(_ text: String) throws(Malformed) -> UpstreamDeclaration.Endpoint {
        if let offset = text.utf8.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7f || "\"<>\\^`{|}".utf8.contains($0) }) {
            throw Malformed(text.utf8.distance(from: text.startIndex, to: offset), "a URL cannot hold this character")
        }
        if text.hasPrefix("unix:") { return try unix(text.dropFirst(5)) }
        guard let schemeEnd = text.firstIndex(of: "://") else {
            // Before an '@' stands a password, and behind a '?' perhaps a key.
            let isTelling = text.contains { $0 == "@" || $0 == "?" }
            throw Malformed(0, "the URL has no scheme", isTelling ? nil : .didYouMean(withScheme(text)))
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw Malformed(
                0, "\(shown(scheme, in: text)) is no scheme that can be spoken here",
                Nearest.suggestion(for: scheme, among: ["http", "https"]))
        }
        let tls = scheme == "https"
        let lead = scheme.utf8.count + 3
        let rest = text.dropFirst(lead)
        for (character, message) in [("?", "a query"), ("#", "a fragment")] where rest.contains(character) {
            throw Malformed(
                text.prefix { String($0) != character }.utf8.count, "\(message) has no place in an upstream's URL")
        }
        let authority = rest.prefix { $0 != "/" }
        if authority.contains("@") {
            throw Malformed(lead, "user and password have no place in a URL", .advice("use 'bearer:' for a token"))
        }
        guard let (host, port) = hostPort(String(authority), tls: tls) else {
            let port = HostPort.split(String(authority))?.port ?? 1
            throw Malformed(
                lead,
                authority.isEmpty
                    ? "the URL has no host"
                    : port > EndpointRule.ports.upperBound
                        ? "\(port) is no port" : "\(shown(authority, in: text)) is no host")
        }
        guard let base = basePath(rest.dropFirst(authority.count)) else {
            throw Malformed(lead + authority.utf8.count, "dot segments have no place in an upstream's URL")
        }
        return UpstreamDeclaration.Endpoint(.tcp(host: host, port: port, tls: tls), basePath: base)
    }

    /// A part of a text for a message: not where a password may reach into it, as one with a slash does.
    private static func shown(_ part: some StringProtocol, in text: String) -> String {
        text.contains("@") ? "this" : "'\(part)'"
    }

    /// `http:/host` and `host` with what they lack.
    private static func withScheme(_ text: String) -> String {
        for scheme in ["https", "http"] where text.hasPrefix("\(scheme):") {
            return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
        }
        let authority = String(text.prefix { $0 != "/" })
        let host = HostPort.split(authority)?.host ?? authority
        // A server on this machine hardly ever speaks TLS.
        return (host == "localhost" || HostPort.isLoopback(host) ? "http://" : "https://") + text
    }

    private static func unix(_ text: Substring) throws(Malformed) -> UpstreamDeclaration.Endpoint {
        let path = text.prefix { $0 != ":" }
        let rest = text.dropFirst(path.count + 1)
        guard path.hasPrefix("/"), rest.isEmpty || rest.hasPrefix("/"), let base = basePath(rest) else {
            throw Malformed(5, "\(shown(text, in: String(text))) is no socket")
        }
        return UpstreamDeclaration.Endpoint(.unix(path: String(path)), basePath: base)
    }

    private static func hostPort(_ authority: String, tls: Bool) -> (String, Int)? {
        var host = authority
        var port = tls ? 443 : 80
        if let split = HostPort.split(authority) {
            (host, port) = split
        } else if authority.hasPrefix("["), authority.hasSuffix("]") {
            host = String(authority.dropFirst().dropLast())
            guard HostPort.isIPv6(host) else { return nil }
        }
        guard EndpointRule.ports.contains(port), EndpointRule.isHost(host) else { return nil }
        return (host.lowercased(), port)
    }

    /// Without the trailing slash; nil where a segment is `.` or `..` (RFC 3986 §5.2.4).
    private static func basePath(_ path: Substring) -> String? {
        if EndpointRule.hasDotSegments(path) { return nil }
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}

extension String {
    /// Where a text begins for the first time.
    fileprivate func firstIndex(of text: String) -> String.Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
