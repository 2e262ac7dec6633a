import SluiceContract
import SluiceRules

/// `url:` of an upstream.
enum OriginURL {
    private static let expected = "http://host[:port][/base], https://host[:port][/base] or unix:/path[:/base]"

    static func read(_ node: SourceNode, _ context: ReadingContext) -> UpstreamDeclaration.Endpoint? {
        guard let text = context.text(node, what: "a URL") else { return nil }
        func wrong(_ message: String, _ offset: Int = 0, _ suggestion: Suggestion? = nil) {
            context.findings.mistake(
                at: node.place(at: offset), message, expected: expected, suggestion: suggestion)
        }
        if let offset = text.utf8.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7f || "\"<>\\^`{|}".utf8.contains($0) }) {
            wrong("a URL cannot hold this character", text.utf8.distance(from: text.startIndex, to: offset))
            return nil
        }
        if text.hasPrefix("unix:") { return unix(text.dropFirst(5), wrong) }
        guard let schemeEnd = text.firstIndex(of: "://") else {
            wrong("the URL has no scheme", 0, text.contains("@") ? nil : .didYouMean(withScheme(text)))
            return nil
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard ["http", "https"].contains(scheme) else {
            wrong(
                "'\(scheme)' is no scheme that can be spoken here", 0,
                Nearest.suggestion(for: scheme, among: ["http", "https"]))
            return nil
        }
        let tls = scheme == "https"
        let lead = scheme.utf8.count + 3
        let rest = text.dropFirst(lead)
        for (character, message) in [("?", "a query"), ("#", "a fragment")] where rest.contains(character) {
            wrong(
                "\(message) has no place in an upstream's URL", text.prefix { String($0) != character }.utf8.count)
            return nil
        }
        let authority = rest.prefix { $0 != "/" }
        if authority.contains("@") {
            wrong(
                "user and password have no place in a URL", lead,
                .advice("use 'bearer:' for a token"))
            return nil
        }
        guard let (host, port) = hostPort(String(authority), tls: tls) else {
            let port = HostPort.split(String(authority))?.port ?? 1
            wrong(
                authority.isEmpty
                    ? "the URL has no host"
                    : port > EndpointRule.ports.upperBound ? "\(port) is no port" : "'\(authority)' is no host", lead)
            return nil
        }
        guard let base = basePath(rest.dropFirst(authority.count)) else {
            wrong("dot segments have no place in an upstream's URL", lead + authority.utf8.count)
            return nil
        }
        return UpstreamDeclaration.Endpoint(.tcp(host: host, port: port, tls: tls), basePath: base)
    }

    /// `http:/host` and `host` with what they lack.
    private static func withScheme(_ text: String) -> String {
        for scheme in ["https", "http"] where text.hasPrefix("\(scheme):") {
            return "\(scheme)://\(text.dropFirst(scheme.count + 1).drop { $0 == "/" })"
        }
        return "https://\(text)"
    }

    private static func unix(
        _ text: Substring, _ wrong: (String, Int, Suggestion?) -> Void
    ) -> UpstreamDeclaration.Endpoint? {
        let path = text.prefix { $0 != ":" }
        let rest = text.dropFirst(path.count + 1)
        guard path.hasPrefix("/"), rest.isEmpty || rest.hasPrefix("/"), let base = basePath(rest) else {
            wrong("'\(text)' is no socket", 5, nil)
            return nil
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
