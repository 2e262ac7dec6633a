public import SluiceContract
internal import SluiceJSON

/// The output of a credential program.
public struct ProgramToken: Hashable, Sendable {
    /// A token, or the values that a signature needs, in their order.
    public var texts: [String]
    public var lifetime: Duration?

    /// - Throws: what is wrong with the output, without quoting it.
    public init(_ output: [UInt8], _ kind: TokenProgram.Output = .token, at moment: Moment) throws(RequestFault) {
        func value(_ keys: String...) -> String? {
            output.withUnsafeBytes { JSONPick.text(at: FieldPath(components: keys.map { .key($0) }), in: $0) }
        }
        switch kind {
        case .awsKeys:
            // "Sourcing credentials with an external process", AWS SDKs and Tools Reference Guide.
            let keys = [value("AccessKeyId"), value("SecretAccessKey")].compactMap(\.self)
            guard keys.count == 2 else { throw RequestFault("its output has no AccessKeyId and SecretAccessKey") }
            texts = keys + (value("SessionToken").map { [$0] } ?? [])
            if let text = value("Expiration") {
                guard let end = DateText.seconds(text) else {
                    throw RequestFault("the Expiration in its output is no time")
                }
                guard end > moment.unix else { throw RequestFault("the keys in its output have ended already") }
                lifetime = .seconds(min(end - moment.unix, TokenAnswer.lifetimeMax))
            }
        case .token:
            // The token alone, or JSON with `access_token` or `token`, and `expires_in` in seconds.
            guard output.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
                do throws(TokenText.Fault) {
                    texts = [try TokenText.read(output)]
                } catch {
                    throw RequestFault("its output \(error.reason)")
                }
                return
            }
            guard let token = value("access_token") ?? value("token") ?? value("status", "token"),
                TokenText.isToken(token)
            else { throw RequestFault("its output has no access_token that a field can hold") }
            texts = [token]
            lifetime = value("expires_in").flatMap { Double($0) }.flatMap { seconds in
                seconds > 0 ? .seconds(min(seconds, Double(TokenAnswer.lifetimeMax))) : nil
            }
        }
    }
}
