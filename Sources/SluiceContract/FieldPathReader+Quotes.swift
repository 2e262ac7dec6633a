/// Keys and strings in quotes, with the escapes of JSON (RFC 8259 §7), and those of RFC 9535 §2.3.1.1.
extension FieldPathReader {
    /// Takes a text in quotes. By scalars: a mark that would combine with a quote belongs to the text.
    mutating func quoted() throws(FieldPath.Malformed) -> String {
        var scalars = rest.unicodeScalars
        let quote = scalars.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = scalars.popFirst() {
            if scalar == quote {
                rest = Substring(scalars)
                return String(text)
            }
            if scalar == "\\" {
                text.append(try escaped(&scalars))
            } else {
                text.append(scalar)
            }
        }
        throw malformed("a quote is open", expected: "\(quote) behind the key")
    }

    /// What stands behind a backslash.
    private func escaped(_ scalars: inout Substring.UnicodeScalarView) throws(FieldPath.Malformed) -> Unicode.Scalar {
        guard let scalar = scalars.popFirst() else { throw malformed("a quote is open", expected: "the end of it") }
        switch scalar {
        case "\"", "'", "\\", "/": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try numbered(&scalars)
        default: throw malformed("'\\\(scalar)' is no escape", expected: #"\\ for a backslash, or an escape of JSON"#)
        }
    }

    /// `00e9`, or the two halves of a pair of surrogates: `d83d\ude00`.
    private func numbered(_ scalars: inout Substring.UnicodeScalarView) throws(FieldPath.Malformed) -> Unicode.Scalar {
        let first = try unit(&scalars)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first & 0xFC00 == 0xD800, scalars.popFirst() == "\\", scalars.popFirst() == "u" else {
            throw noCharacter()
        }
        let second = try unit(&scalars)
        let value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
        guard second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(value) else { throw noCharacter() }
        return scalar
    }

    private func unit(_ scalars: inout Substring.UnicodeScalarView) throws(FieldPath.Malformed) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = scalars.popFirst(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw noCharacter()
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private func noCharacter() -> FieldPath.Malformed {
        malformed("an escape is no character", expected: #"\u and four hexadecimal digits, surrogates in pairs"#)
    }
}
