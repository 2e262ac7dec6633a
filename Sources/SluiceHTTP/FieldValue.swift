/// Checks on text that becomes part of a head (RFC 9110 §5.5, §5.6.2): what passes cannot end its line.
public enum FieldValue {
    /// Whether `bytes` may stand as a field value: no control but tab, no blank at either end.
    public static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, let first = bytes.first, let last = bytes.last else { return true }
        return !first.isBlank && !last.isBlank && Scan.fieldValue(base, bytes.count) == bytes.count
    }

    /// Whether `bytes` are a token: a field name, a method.
    public static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.consists(of: .token)
    }
}
