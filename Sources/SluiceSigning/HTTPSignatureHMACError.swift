/// Why requests cannot be signed as declared.
public enum HTTPSignatureHMACError: Error, Hashable, Sendable {
    /// Values that have to be sent to the server.
    public enum Sent: String, Sendable {
        case signature, date, nonce
    }

    /// The function is HMAC with SHA-1, which has not been allowed.
    case sha1
    /// There are no parts.
    case nothingSigned
    case emptyKey
    /// This value is needed to verify the signature, but no field contains it.
    case notSent(Sent)
    /// The signed parts include a field that contains the signature.
    case signsItself(String)
    case unknownPlaceholder(String)
    /// The text is not a valid field name or field value.
    case unsendable(String)
}

extension HTTPSignatureHMACError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .sha1: "hmac-sha1 is refused: take hmac-sha256, or allow SHA-1 where the API knows nothing else"
        case .nothingSigned: "nothing is signed: name the parts that the API asks for"
        case .emptyKey: "the key is empty: copy it again"
        case .notSent(let sent):
            "the \(sent.rawValue) is not sent, so that nobody can verify it: put {\(sent.rawValue)} into a field"
        case .signsItself(let name): "\(name) holds the signature and cannot be signed: leave it out of the parts"
        case .unknownPlaceholder(let name):
            "{\(name)} is not known: use "
                + FieldTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        case .unsendable(let text):
            "'\(text.filter { $0 >= " " })' cannot stand in a field: leave out blanks at its ends, control characters "
                + "and what is not ASCII"
        }
    }
}
