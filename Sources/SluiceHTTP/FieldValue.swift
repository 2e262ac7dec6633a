/// Checks on text that becomes part of a head (RFC 9110 §5.5, §5.6.2): text that passes cannot end the line it stands
/// in.
public enum FieldValue {
    /// Whether `bytes` may stand as a field value: no control character but tab, no blank at either end.
    public static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, let first = bytes.first, let last = bytes.last else { return true }
        return !first.isBlank && !last.isBlank && Scan.fieldValue(base, bytes.count) == bytes.count
    }

    /// Whether `bytes` are a token: a field name, a method.
    public static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.consists(of: .token)
    }

    /// Whether `bytes` are an origin-form target without a character that has to be percent-encoded (RFC 9112 §3.2.1).
    package static func isTarget(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.first == UInt8(ascii: "/"), let end = bytes.endOfRun(of: .path) else { return false }
        return end == bytes.count
            || bytes[end] == UInt8(ascii: "?") && bytes.endOfRun(of: .query, from: end + 1) == bytes.count
    }
}
