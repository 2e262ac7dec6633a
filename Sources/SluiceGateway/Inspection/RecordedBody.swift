/// A body as it is recorded and compared: without what sounds like a secret, and what is left out by its name.
struct RecordedBody {
    /// How what is left out looks.
    static let redacted = "***"

    let leftOut: Set<String>
    /// Names that only sound like secrets.
    var kept: Set<String> = []

    /// The same for the same body, whatever its type is called.
    func masked(_ body: [UInt8]) -> [UInt8] {
        switch body.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return SensitiveMembers.masked(json: body, Self.redacted, also: leftOut, except: kept)
        default:
            let isForm = body.contains(UInt8(ascii: "=")) && body.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            return isForm ? SensitiveMembers.masked(form: body) : body
        }
    }
}
