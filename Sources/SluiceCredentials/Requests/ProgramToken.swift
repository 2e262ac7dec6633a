internal import SluiceContract
internal import SluiceJSON

/// What a program has printed: a token on a line, or JSON with `access_token` or `token`, and `expires_in` in seconds.
public struct ProgramToken: Hashable, Sendable {
    public var text: String
    /// Seconds.
    public var lifetime: Int?

    /// - Throws: why it is none; without a byte of it.
    public init(_ output: [UInt8]) throws(RequestFault) {
        let start = output.first { $0 > 0x20 }
        guard start == UInt8(ascii: "{") else {
            do throws(TokenText.Fault) {
                text = try TokenText.read(output)
            } catch {
                throw RequestFault("its output \(error.reason)")
            }
            return
        }
        func value(_ keys: String...) -> String? {
            output.withUnsafeBytes { JSONPick.text(at: FieldPath(components: keys.map { .key($0) }), in: $0) }
        }
        guard let token = value("access_token") ?? value("token") ?? value("status", "token"), TokenText.isToken(token)
        else { throw RequestFault("its output has no access_token that a field can hold") }
        text = token
        lifetime = value("expires_in").flatMap { Double($0) }.flatMap { seconds in
            seconds > 0 ? Int(min(seconds, Double(TokenAnswer.lifetimeMax))) : nil
        }
    }
}
