/// A cookie that an answer sets (RFC 6265 §5.2).
public struct ResponseCookie: Hashable, Sendable, Decodable {
    /// What the cookie is called.
    public var name: String
    /// What it says, with its quotes if it has any.
    public var value: String
    /// The path that it is for, if it says one.
    public var path: String?
    /// The host that it is for, if it says one.
    public var domain: String?
    /// As it is written there.
    public var expires: String?
    /// Seconds.
    public var maxAge: Int?
    /// `Strict`, `Lax` or `None`, as it is written.
    public var sameSite: String?
    /// Whether it is for encrypted connections alone.
    public var isSecure = false
    /// Whether scripts of a page are not to see it.
    public var isHTTPOnly = false

    /// A cookie of a `Set-Cookie` field; nothing where it has no name.
    public init?(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
        guard let first = parts.first, !first.name.isEmpty, let value = first.value else { return nil }
        name = first.name
        self.value = value
        for part in parts.dropFirst() {
            switch part.name.lowercased() {
            case "path": path = part.value
            case "domain": domain = part.value
            case "expires": expires = part.value
            case "max-age": maxAge = part.value.flatMap { Int($0) }
            case "samesite": sameSite = part.value
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }
    }

    private static func pair(_ part: Substring) -> (name: String, value: String?) {
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        return (halves[0], halves.count > 1 ? halves[1] : nil)
    }

    private static func trimmed(_ text: Substring) -> String {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return String(front.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
