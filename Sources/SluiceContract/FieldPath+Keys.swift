/// How keys are written in paths.
extension FieldPath {
    /// The step to a key, as problems print it behind the rest of a path: `.name`, or `["a b"]` (RFC 9535 §2.5.1).
    public static func step(to key: String) -> String { isName(key) ? ".\(key)" : "[\(quoted(key))]" }

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

    /// A text in double quotes, with the escapes that JSON requires (RFC 8259 §7).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{8}": quoted += #"\b"#
            case "\u{9}": quoted += #"\t"#
            case "\u{A}": quoted += #"\n"#
            case "\u{C}": quoted += #"\f"#
            case "\u{D}": quoted += #"\r"#
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Whether the key means itself without quotes, in front and in the middle of a path.
    static func isPlain(_ key: String) -> Bool {
        let isPrinted = key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPrinted && FieldPath(key)?.components == [.key(key)]
            && FieldPath("a.\(key).a")?.components == [.key("a"), .key(key), .key("a")]
    }
}
