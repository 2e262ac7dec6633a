/// A cookie of a request.
public struct RequestCookie: Hashable, Sendable {
    public var name: String
    public var value: String

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
