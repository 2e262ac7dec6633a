/// What was asked and answered as it is recorded and compared: without what sounds like a secret, and what is left out
/// by its name.
struct RecordedBody {
    /// How what is left out looks.
    static let redacted = "***"

    let leftOut: Set<String>
    /// Names that only sound like secrets.
    var kept: Set<String> = []

    /// Of an answer: there, `code` tells errors apart; what an authorization server calls so comes in a query
    /// (RFC 6749 §4.1.2).
    static func ofAnswer(without leftOut: Set<String>, keeping kept: Set<String>) -> RecordedBody {
        RecordedBody(leftOut: leftOut, kept: kept.union(["code"]))
    }

    /// The same for the same body, whatever its type is called.
    func masked(_ body: [UInt8]) -> [UInt8] {
        switch body.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return SensitiveMembers.masked(json: body, Self.redacted, also: leftOut, except: kept)
        default:
            let isForm = body.contains(UInt8(ascii: "=")) && body.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            return isForm ? SensitiveMembers.masked(form: body, also: leftOut) : body
        }
    }

    /// - Returns: nil where a secret could not be taken out.
    func masked(_ body: [UInt8], _ mask: CredentialMask) -> [UInt8]? {
        let bytes = masked(body)
        let text = String(decoding: bytes, as: UTF8.self)
        let masked = mask.applied(to: text)
        if masked == text { return bytes }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : Array(masked.utf8)
    }

    /// - Parameter target: without the values that sound like credentials (``QueryMask``).
    func masked(target: String) -> String {
        guard !leftOut.isEmpty, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        let query = Array(target.utf8[target.utf8.index(after: mark)...])
        return target[...mark] + String(decoding: SensitiveMembers.masked(form: query, also: leftOut), as: UTF8.self)
    }
}
