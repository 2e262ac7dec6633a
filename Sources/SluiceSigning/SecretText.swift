/// A token, a password or a key that is text, kept as ``SecretBytes``. Callers that ask for its text get a copy.
public struct SecretText: Hashable, Sendable, CustomStringConvertible {
    private let bytes: SecretBytes

    public init(_ text: String) { bytes = SecretBytes(text) }

    /// A copy in ordinary memory, to be released soon.
    public var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// Never the text.
    public var description: String { bytes.description }
}
