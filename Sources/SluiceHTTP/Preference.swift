/// The preferences that a client states for the answer (`Prefer`, RFC 7240 §2).
public enum Preference {
    /// The value of a preference; empty where the preference has no value, nil where it is absent. If it occurs several
    /// times, the first counts.
    /// - Parameter name: in lower case.
    public static func value(_ name: StaticString, in fields: borrowing HeaderBlock) -> String? {
        for index in 0..<fields.count where fields.name(index).equalsIgnoringCase("prefer") {
            var list = ListIterator(fields.value(index), honoursQuotes: true)
            while let element = list.next() {
                let preference = element.prefix { $0 != UInt8(ascii: ";") }
                let end = preference.firstIndex(of: UInt8(ascii: "=")) ?? preference.endIndex
                let word = String(decoding: preference[..<end], as: UTF8.self).trimmed.lowercased()
                guard word == "\(name)" else { continue }
                return String(decoding: preference[end...].dropFirst(), as: UTF8.self).trimmed.unquoted
            }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmed: String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = utf8.drop(while: isBlank)
        return String(decoding: start.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }

    /// RFC 9110 §5.6.4.
    fileprivate var unquoted: String {
        guard utf8.count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
        var text = ""
        var isEscaped = false
        for character in dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }
}
