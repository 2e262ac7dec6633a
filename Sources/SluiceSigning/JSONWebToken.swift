/// Signed tokens in compact serialisation (RFC 7519, RFC 7515 §7.1).
public enum JSONWebToken {
    /// A header parameter or a claim.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member.
    public indirect enum Value: Hashable, Sendable {
        case string(String)
        /// Times are seconds since 1970 (RFC 7519 §2, NumericDate).
        case number(Int)
        case bool(Bool)
        case array([Value])
        case object([Member])
    }

    /// A token with `claims`, signed with `key`.
    /// - Parameter header: header parameters after `alg`, which comes from the key.
    public static func signed(header: [Member] = [], claims: [Member], by key: SigningKey) -> String {
        let algorithm = Member("alg", .string(key.algorithm.rawValue))
        return compact(header: Value.object([algorithm] + header).json, payload: Value.object(claims).json, by: key)
    }

    /// RFC 7515 §7.1.
    static func compact(header: [UInt8], payload: [UInt8], by key: SigningKey) -> String {
        var token = Base64URL.encode(header)
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(payload)
        let signature = key.sign(token)
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(signature)
        return String(decoding: token, as: UTF8.self)
    }
}
