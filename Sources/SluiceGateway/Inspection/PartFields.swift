internal import SluiceContract
internal import SluiceHTTP

/// The fields before the content of one part of a multipart body, as the most lenient reader would read them.
struct PartFields {
    /// All names that the part may have (RFC 7578 §4.2).
    private(set) var names: [String] = []
    private(set) var contentType: String?
    private var isForm = false
    /// Where the content of the part begins.
    let end: Int

    /// Whether the part is a form field without a name.
    var isUnnamed: Bool { isForm && names.isEmpty }

    /// - Parameter range: the part, without its delimiter.
    init(_ body: [UInt8], _ range: Range<Int>) {
        var position = range.lowerBound
        var field: [UInt8] = []
        var fields: [[UInt8]] = []
        while position < range.upperBound {
            let lineEnd = body[position..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
            let next = min(lineEnd + 1, range.upperBound)
            let line = body[position..<lineEnd].filter { $0 != 0x0D }
            if line.isEmpty {
                position = next
                break
            }
            if line[0] == 0x20 || line[0] == 0x09, !field.isEmpty {
                // Continues the line before (RFC 5322 §2.2.3).
                field += line
            } else if Self.isField(line) {
                fields.append(field)
                field = line
            } else {
                // The content begins without an empty line before it.
                break
            }
            position = next
        }
        end = position
        for field in fields + [field] { take(field) }
    }

    private static func isField(_ line: [UInt8]) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
        return line[..<colon].allSatisfy { $0 > 0x20 && $0 < 0x7F || $0 == 0x20 || $0 == 0x09 }
            && line[..<colon].allSatisfy { !"\"{[<=,;".utf8.contains($0) }
    }

    private mutating func take(_ field: [UInt8]) {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: field[..<colon].filter { $0 > 0x20 }, as: UTF8.self).lowercased()
        let value = Array(field[(colon + 1)...])
        switch name {
        case "content-type": contentType = String(decoding: value.drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
        case "content-disposition":
            isForm = isForm || String(decoding: value, as: UTF8.self).lowercased().contains("form-data")
            names += Self.names(in: value)
        default: break
        }
    }

    /// The values of everything that may be `name=` or `name*=`, wherever a reader takes quotes to end.
    private static func names(in value: [UInt8]) -> [String] {
        let lower = value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let word = Array("name".utf8)
        var names: [String] = []
        for start in lower.indices where lower[start...].starts(with: word) {
            if start > 0, !"; \t\"".utf8.contains(lower[start - 1]) { continue }
            var rest = value[(start + word.count)...].drop { $0 == 0x20 || $0 == 0x09 }
            let isExtended = rest.first == UInt8(ascii: "*")
            if isExtended { rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 } }
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let text: [UInt8]
            if rest.first == UInt8(ascii: "\"") {
                text = unquoted(rest.dropFirst())
            } else {
                let token = rest.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }
                text = isExtended ? Array(token) : token.filter { $0 != UInt8(ascii: "'") }
            }
            names.append(decoded(text))
            // `UTF-8''a%20name` (RFC 8187): not allowed in forms, but some programs send it.
            if isExtended { names.append(decoded(Array(text.split(separator: UInt8(ascii: "'")).last ?? []))) }
        }
        return names
    }

    /// The text up to the closing quote, without the backslashes of quoted pairs.
    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if !isEscaped, byte == UInt8(ascii: "\"") { break }
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            isEscaped = false
            text.append(byte)
        }
        return text
    }

    /// Browsers write `%22` for a quote.
    private static func decoded(_ text: [UInt8]) -> String {
        let bytes = text.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: false) }
        return String(decoding: bytes ?? text, as: UTF8.self)
    }
}
