internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Finds the texts of an upstream's error where `error:` says that they are.
enum ErrorBody {
    /// - Parameter body: the first bytes of the body.
    static func text(_ text: ErrorText, in body: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock) -> String? {
        switch text {
        case .path(let path): JSONPick.text(at: path, in: body)
        case .header(let name): field(name, fields)
        case .element(let name): XMLText.element(name, in: body)
        case .firstLine: firstLine(body)
        }
    }

    static func field(_ name: String, _ fields: borrowing HeaderBlock) -> String? {
        for index in 0..<fields.count where fields.name(index).equalsIgnoringCase(Array(name.utf8)) {
            return String(decoding: fields.value(index), as: UTF8.self)
        }
        return nil
    }

    /// The first line of plain text; nil for a body that looks like a document.
    private static func firstLine(_ body: UnsafeRawBufferPointer) -> String? {
        let start = body.drop { $0 <= 0x20 }
        guard let first = start.first, !"<{[".utf8.contains(first) else { return nil }
        let line = start.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4096)
        guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        return String(text.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// Reads one text out of a small XML document. Only XML's five predefined entities and character references are
/// expanded; declarations in a document type are ignored.
enum XMLText {
    /// The text of the first element of this name, whatever its prefix; nil where there is none, or its text contains
    /// other elements or an entity that XML does not predefine.
    static func element(_ name: String, in body: UnsafeRawBufferPointer) -> String? {
        var rest = body[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.firstRange(of: "-->".utf8) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            if rest.starts(with: "![CDATA[".utf8) {
                guard let end = rest.firstRange(of: "]]>".utf8) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            guard let close = endOfTag(rest) else { return nil }
            let tag = rest[..<close]
            rest = rest[(close + 1)...]
            let full = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
            let local = full.lastIndex(of: UInt8(ascii: ":")).map { full[($0 + 1)...] } ?? full
            guard local.elementsEqual(name.utf8) else { continue }
            return tag.last == UInt8(ascii: "/") ? "" : text(rest)
        }
        return nil
    }

    /// The next `>` outside an attribute's value.
    private static func endOfTag(_ rest: Slice<UnsafeRawBufferPointer>) -> Int? {
        var quote: UInt8?
        return rest.firstIndex { byte in
            if let open = quote {
                if byte == open { quote = nil }
                return false
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
            return byte == UInt8(ascii: ">")
        }
    }

    /// The text before the element's end tag.
    private static func text(_ content: Slice<UnsafeRawBufferPointer>) -> String? {
        var rest = content
        var bytes: [UInt8] = []
        while let first = rest.first {
            if rest.starts(with: "<![CDATA[".utf8) {
                guard let end = rest.firstRange(of: "]]>".utf8) else { return nil }
                bytes += rest[..<end.lowerBound].dropFirst(9)
                rest = rest[end.upperBound...]
            } else if first == UInt8(ascii: "<") {
                guard rest.dropFirst().first == UInt8(ascii: "/") else { return nil }
                let text = String(decoding: bytes, as: UTF8.self)
                return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
            } else if first == UInt8(ascii: "&") {
                guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                    let character = character(rest[..<end].dropFirst())
                else { return nil }
                bytes += Array(String(character).utf8)
                rest = rest[(end + 1)...]
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return nil
    }

    /// XML 1.0 §4.1, §4.6.
    private static func character(_ reference: Slice<UnsafeRawBufferPointer>) -> Character? {
        let text = String(decoding: reference, as: UTF8.self)
        switch text {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }
}
