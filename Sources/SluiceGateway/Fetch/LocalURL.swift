internal import SluiceContract
internal import SluiceHTTP

/// Maps a URL of the upstream in JSON to one of the gateway (``LinkTargets``).
enum LocalURL {
    /// An absolute URL gets the origin that the client has asked; a path stays a path.
    /// - Returns: nil where the text stays as it is.
    static func text(of text: String, for request: BoundRequest, _ route: Route, _ endpoint: Endpoint) -> String? {
        let bytes = Array(text.utf8)
        guard let isAbsolute = isAbsolute(bytes) else { return nil }
        let other: [UInt8]? = bytes.withUnsafeBytes { reference in
            if let local = LinkTargets.local(reference, for: request, route, endpoint) {
                return isAbsolute ? origin(of: request) + local : local
            }
            return LinkTargets.withoutSecrets(reference, for: request, route, endpoint)
        }
        return other.map { String(decoding: $0, as: UTF8.self) }
    }

    /// nil where the text is neither a URL nor a path: any word could be read as a reference (RFC 3986 §4.2).
    private static func isAbsolute(_ text: [UInt8]) -> Bool? {
        if text.starts(with: "//".utf8) { return true }
        if let first = text.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "?") { return false }
        return text.firstRange(of: "://".utf8) == nil ? nil : true
    }

    /// Scheme and authority as the client knows them; empty for a client that sends no authority (RFC 1945).
    private static func origin(of request: BoundRequest) -> [UInt8] {
        let authority = Array(request.head.authority)
        if authority.isEmpty { return [] }
        return Array((request.client?.isTLS == true ? "https://" : "http://").utf8) + authority
    }
}
