/// Names that some origins take for another field.
///
/// CGI, WSGI and their like hand fields to programs as variables, in which `-` and `_` are the same: `Content_Length`
/// arrives there as the same variable as `Content-Length`. Where the gateway itself sets a field, an alias of that
/// field is not forwarded.
public enum FieldAlias {
    /// Whether such origins take the two names for the same field.
    public static func isSame(_ name: UnsafeRawBufferPointer, _ other: some Collection<UInt8>) -> Bool {
        name.count == other.count && zip(name, other).allSatisfy { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether the name is `X-Forwarded-` followed by at least one more byte.
    static func isForwarded(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count > 12 && name.part(0, 12).equalsIgnoringCase("x-forwarded-")
    }

    static func isAlias(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count <= 32, name.contains(UInt8(ascii: "_")) else { return false }
        return withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { buffer in
            for (index, byte) in name.enumerated() {
                buffer[index] = byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
            }
            let name = UnsafeRawBufferPointer(buffer)
            if isForwarded(name) { return true }
            switch FieldID(name: name) {
            case .contentLength, .transferEncoding, .keepAlive, .proxyConnection, .proxyAuthorization, .maxForwards,
                .xRealIP, .http2Settings:
                return true
            default: return false
            }
        }
    }
}
