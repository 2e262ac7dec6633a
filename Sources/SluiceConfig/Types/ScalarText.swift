import SluiceContract

/// Whether a text is a value of a scalar, as far as a configuration's defaults need to know it.
enum ScalarText {
    /// Whether JSON writes the scalar as a string.
    static func isString(_ scalar: Scalar) -> Bool {
        switch scalar {
        case .string, .uuid, .url, .data, .date(.iso8601): true
        case .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .decimal,
            .date(.seconds), .date(.milliseconds), .json:
            false
        }
    }

    static func matches(_ text: String, _ scalar: Scalar) -> Bool {
        switch scalar {
        case .string, .json: true
        case .bool: text == "true" || text == "false"
        case .int, .int64: integer(text, Int64.self)
        case .int8: integer(text, Int8.self)
        case .int16: integer(text, Int16.self)
        case .int32: integer(text, Int32.self)
        case .uint, .uint64: integer(text, UInt64.self)
        case .uint8: integer(text, UInt8.self)
        case .uint16: integer(text, UInt16.self)
        case .uint32: integer(text, UInt32.self)
        case .double: PlainJSON.isNumber(text) && Double(text)?.isFinite == true
        case .decimal, .date(.seconds), .date(.milliseconds): PlainJSON.isNumber(text)
        case .date(.iso8601): date(text)
        case .uuid: uuid(text)
        case .url: url(text)
        case .data: base64(text)
        }
    }

    private static func integer<Integer: FixedWidthInteger>(_ text: String, _ type: Integer.Type) -> Bool {
        PlainJSON.isNumber(text) && Integer(text) != nil
    }

    /// RFC 3339 §5.6: `full-date`, or `date-time`.
    private static func date(_ text: String) -> Bool {
        let isDate = fits(text.prefix(10), "9999-99-99")
        let rest = text.dropFirst(10)
        if rest.isEmpty { return isDate }
        guard isDate, let mark = rest.first, "Tt ".contains(mark), fits(rest.dropFirst().prefix(8), "99:99:99") else {
            return false
        }
        var zone = rest.dropFirst(9)
        if zone.first == "." {
            zone = zone.dropFirst()
            let fraction = zone.prefix { $0.isASCII && $0.isNumber }
            if fraction.isEmpty { return false }
            zone = zone.dropFirst(fraction.count)
        }
        return zone == "Z" || zone == "z" || fits(zone, "+99:99") || fits(zone, "-99:99")
    }

    private static func uuid(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(\.isHexDigit) }
    }

    /// RFC 3986 §3: the characters of a URI, none of them blank.
    private static func url(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    /// RFC 4648 §4.
    private static func base64(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
        let padding = text.utf8.dropFirst(body.count)
        return text.utf8.count.isMultiple(of: 4) && padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") }
    }

    /// Whether a text has the form of a pattern in which `9` stands for any digit.
    private static func fits(_ text: Substring, _ pattern: String) -> Bool {
        text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy { $1 == UInt8(ascii: "9") ? $0.isDigit : $0 == $1 }
    }
}
