/// The syntax of a bearer token (RFC 6750 §2.1): no valid token can break out of a header field.
public enum BearerToken {
    /// `b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`, and the rest of the visible ASCII,
    /// because real tokens contain it.
    public static func isValid(_ token: [UInt8]) -> Bool {
        !token.isEmpty && token.count <= 16 << 10 && token.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
