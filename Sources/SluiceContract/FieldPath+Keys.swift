/// How keys are written in paths.
extension FieldPath {
    /// The step to a key, as problems print it behind the rest of a path: `.name`, or `["a b"]` (RFC 9535 §2.5.1).
    public static func step(to key: String) -> String { isName(key) ? ".\(key)" : "[\(JSONEscape.quoted(key))]" }

    /// ASCII letters, digits and `_`; digits alone are an index.
    private static func isName(_ key: String) -> Bool {
        var isIndex = true
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                isIndex = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            default: return false
            }
        }
        return !isIndex
    }

    /// Whether the key means itself without quotes, in front and in the middle of a path.
    static func isPlain(_ key: String) -> Bool {
        let isPrinted = key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPrinted && FieldPath(key)?.components == [.key(key)]
            && FieldPath("a.\(key).a")?.components == [.key("a"), .key(key), .key("a")]
    }
}
