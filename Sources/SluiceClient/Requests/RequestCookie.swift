/// A cookie of a request.
public struct RequestCookie: Hashable, Sendable {
    /// What the cookie is called.
    public var name: String
    /// What it says; characters that no cookie has (RFC 6265 §4.1.1) are refused when it is sent.
    public var value: String

    /// `name=value`.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether name and value can stand in the field (RFC 6265 §4.1.1); a `;` would begin another cookie.
    var isWritable: Bool {
        let wrong = "\";,\\ \t\r\n"
        return !name.isEmpty && !(name + value).contains { wrong.contains($0) || !$0.isASCII || $0.isNewline }
            && !name.contains("=")
    }
}
