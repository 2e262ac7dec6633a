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

    /// RFC 8259 §7, with nothing escaped that need not be.
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{00}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
