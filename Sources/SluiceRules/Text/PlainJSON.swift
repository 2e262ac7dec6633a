internal import SluiceContract

/// JSON texts made of plain scalars.
package enum PlainJSON {
    /// The JSON of a plain scalar that is a number, a truth value or null to JSON; nil where it is a string.
    package static func literal(_ text: String) -> String? {
        switch text {
        case "true", "false": text
        case "null", "~", "": "null"
        default: DecimalText.isNumber(text) ? text : nil
        }
    }

    /// RFC 8259 §7; as YAML in double quotes it is the same text, because what that does not print is escaped, too.
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where mustBeEscaped(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Characters of control, and others that YAML does not print or takes for the end of a line (YAML 1.2 §5.1, §5.4).
    /// All of them have four digits.
    package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}
