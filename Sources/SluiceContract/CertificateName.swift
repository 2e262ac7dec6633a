/// A name that a client's certificate vouches for (RFC 5280 §4.1.2.6, §4.2.1.6).
public struct CertificateName: Hashable, Sendable, CustomStringConvertible {
    public var kind: Kind
    /// Compared byte by byte; a DNS name in lower case.
    public var text: String

    public enum Kind: String, CaseIterable, Sendable {
        /// The subject's common name.
        case commonName = "cn"
        /// A subjectAltName.
        case dns, email, uri
    }

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = kind == .dns ? text.lowercased() : text
    }

    /// - Parameter notation: `dns:agent.example`; without a kind it is a common name. nil where nothing is named.
    public init?(notation: String) {
        let colon = notation.firstIndex(of: ":")
        let kind = colon.flatMap { Kind(rawValue: String(notation[..<$0])) }
        let text = kind == nil ? notation : String(notation[notation.index(after: colon ?? notation.startIndex)...])
        guard !text.isEmpty else { return nil }
        self.init(kind ?? .commonName, text)
    }

    /// The notation of the configuration.
    public var description: String { "\(kind.rawValue):\(text)" }
}
