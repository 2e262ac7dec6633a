extension TypeNotationParser {
    /// What stands behind `from`: up to a `=` that a blank is in front of, outside of quotes and brackets.
    /// - Returns: nil where there is no `from`.
    mutating func source() throws(TypeNotation.Malformed) -> (text: String, offset: Int)? {
        skipBlanks()
        let word = Array("from".utf8)
        guard bytes[offset...].starts(with: word), case let end = offset + word.count,
            end == bytes.count || bytes[end] == 0x20
        else { return nil }
        offset = end
        skipBlanks()
        let start = offset
        var quote: UInt8?
        var depth = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if let open = quote {
                // What a backslash stands in front of ends nothing.
                if byte == UInt8(ascii: "\\"), offset + 1 < bytes.count { offset += 1 }
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && depth > 0) {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "]") {
                depth -= 1
            } else if byte == UInt8(ascii: "="), depth <= 0, bytes[offset - 1] == 0x20 {
                break
            }
            offset += 1
        }
        var last = offset
        while last > start, bytes[last - 1] == 0x20 { last -= 1 }
        if last == start {
            throw malformed(
                "nothing stands behind 'from'",
                expected: "a key path such as data.items[0].id, 'header X-Total' or 'http status'", at: start)
        }
        return (String(decoding: bytes[start..<last], as: UTF8.self), start)
    }
}
