/// The cookies of a request, in one field (RFC 6265 §5.4).
@propertyWrapper
public struct RequestCookies: Sendable, RequestPart {
    /// The cookies in their order; without any the field is not sent.
    public var wrappedValue: [RequestCookie]

    /// No cookies, where the property has no value.
    public init(wrappedValue: [RequestCookie] = []) {
        self.wrappedValue = wrappedValue
    }

    func contribute(as property: String, to parts: inout RequestParts) throws(CallError) {
        if let wrong = wrappedValue.first(where: { !$0.isWritable }) {
            throw .encode("The cookie '\(wrong.name)' has characters that no cookie can have: percent-encode them.")
        }
        guard !wrappedValue.isEmpty else { return }
        let text = wrappedValue.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        parts.fields.append(CallField("Cookie", text))
    }
}
