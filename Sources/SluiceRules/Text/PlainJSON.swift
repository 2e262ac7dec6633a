/// JSON texts made of plain scalars.
package enum PlainJSON {
    /// The JSON of a plain scalar that is a number, a truth value or null to JSON; nil where it is a string.
    package static func literal(_ text: String) -> String? {
        switch text {
        case "true", "false": text
        case "null", "~", "": "null"
        default: isNumber(text) ? text : nil
        }
    }

    /// RFC 8259 §6.
    package static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func digits(_ rest: inout Substring.UTF8View) -> Int {
            let count = rest.prefix { $0.isDigit }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let leadsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits(&rest)
        if whole == 0 || (leadsWithZero && whole > 1) { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if digits(&rest) == 0 { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            if digits(&rest) == 0 { return false }
        }
        return rest.isEmpty
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
