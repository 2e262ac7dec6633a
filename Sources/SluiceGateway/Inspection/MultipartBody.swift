internal import SluiceContract
internal import SluiceHTTP

/// A body in parts between delimiter lines (RFC 2046 §5.1.1), such as a form with files in it (RFC 7578); it may be cut
/// anywhere.
struct MultipartBody {
    private let body: [UInt8]
    private let boundary: [UInt8]
    /// Lines of the body that are delimiters: the preamble ends with the first, each part with the next one.
    private let delimiters: [Range<Int>]

    /// - Parameter type: the value of Content-Type. Where it names no boundary, the first line of a form does.
    /// - Returns: nil where the body is none.
    init?(_ body: [UInt8], type: String?) {
        guard let boundary = Self.boundary(of: type) ?? Self.firstLine(of: body) else { return nil }
        self.body = body
        self.boundary = boundary
        delimiters = Self.delimiters(of: body, boundary)
        if delimiters.isEmpty { return nil }
    }

    // MARK: - Without what is secret

    /// Leaves out the content of parts whose names sound like credentials; in the others, what JSON has of them.
    /// - Parameter boundary: what stands between the parts then.
    func masked(
        _ redaction: SensitiveMembers.Redaction, also names: Set<String> = [],
        except kept: SensitiveMembers.Kept = .only([]), boundary: Boundary = .own
    ) -> [UInt8] {
        var shown = Array(body[..<delimiters[0].lowerBound])
        let dashed = Array("--".utf8) + (boundary == .own ? self.boundary : Array(fixedBoundary.utf8))
        for (place, delimiter) in delimiters.enumerated() {
            let isLast = place + 1 == delimiters.count
            let end = isLast ? body.count : delimiters[place + 1].lowerBound
            let content = contentStart(from: delimiter.upperBound, to: end)
            let contentEnd = isLast ? end : lineEnd(before: end, after: content)
            shown += dashed + body[(delimiter.lowerBound + 2 + self.boundary.count)..<content]
            if let name = name(delimiter.upperBound..<content),
                names.contains(name) || SensitiveName.matches(name) && !kept.contains(name)
            {
                shown += redaction.text.utf8
            } else {
                let part = Array(body[content..<contentEnd])
                shown += SensitiveMembers.masked(json: part, redaction, also: names, except: kept)
            }
            shown += body[contentEnd..<end]
        }
        return shown
    }

    // MARK: - The same boundary for the same request

    enum Boundary {
        case own
        /// Programs make up another one for each request: with this one, the same request looks the same.
        case fixed
    }

    /// Content-Type as it belongs to the body with the fixed boundary.
    func typeWithFixedBoundary(_ type: String) -> String {
        let bytes = Array(type.utf8)
        let name = Array("boundary=".utf8)
        let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard var start = lower.firstRange(of: name)?.upperBound else { return type }
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") { start += 1 }
        guard bytes[start...].starts(with: boundary) else { return type }
        let rest = bytes[..<start] + Array(fixedBoundary.utf8) + bytes[(start + boundary.count)...]
        return String(decoding: rest, as: UTF8.self)
    }

    /// One that no other line of the body looks like.
    private var fixedBoundary: String {
        var number = 1
        var name = "boundary"
        while !name.utf8.elementsEqual(boundary), !Self.delimiters(of: body, Array(name.utf8)).isEmpty {
            number += 1
            name = "boundary-\(number)"
        }
        return name
    }

    // MARK: - Parts

    /// Where the content of a part begins: behind the empty line after its fields.
    private func contentStart(from start: Int, to end: Int) -> Int {
        var position = start
        while position < end {
            let lineEnd = body[position..<end].firstIndex(of: 0x0A) ?? end
            let next = min(lineEnd + 1, end)
            if body[position..<lineEnd].allSatisfy({ $0 == 0x0D }) { return next }
            position = next
        }
        return end
    }

    /// The line end that belongs to the delimiter behind it.
    private func lineEnd(before end: Int, after start: Int) -> Int {
        var position = end
        if position > start, body[position - 1] == 0x0A { position -= 1 }
        if position > start, body[position - 1] == 0x0D { position -= 1 }
        return position
    }

    /// What a part is called (RFC 7578 §4.2).
    private func name(_ fields: Range<Int>) -> String? {
        for line in body[fields].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-disposition"
            else { continue }
            let value = Array(line[(colon + 1)...])
            let name = value.withUnsafeBytes { bytes -> [UInt8]? in
                guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
                var parameters = ParameterIterator(UnsafeRawBufferPointer(rebasing: bytes[end...]))
                while let parameter = parameters.next() {
                    if parameter.name.equalsIgnoringCase("name") { return Array(parameter.value) }
                    // RFC 8187: `name*=UTF-8''a%20name`, which no form may have, and some have.
                    guard parameter.name.equalsIgnoringCase("name*") else { continue }
                    return Array(parameter.value.split(separator: UInt8(ascii: "'")).last ?? [])
                }
                return nil
            }
            guard let name else { continue }
            // Browsers write `%22` for a quote.
            let decoded = name.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: false) }
            return String(decoding: decoded ?? name, as: UTF8.self)
        }
        return nil
    }

    // MARK: - Delimiters

    private static func boundary(of type: String?) -> [UInt8]? {
        guard let type, type.lowercased().hasPrefix("multipart/") else { return nil }
        return Array(type.utf8).withUnsafeBytes { bytes in
            guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            var parameters = ParameterIterator(UnsafeRawBufferPointer(rebasing: bytes[end...]))
            while let parameter = parameters.next() {
                if parameter.name.equalsIgnoringCase("boundary"), !parameter.value.isEmpty {
                    return Array(parameter.value)
                }
            }
            return nil
        }
    }

    /// Of programs that name another type, or none: a line of dashes and letters, and a form's field behind it.
    private static func firstLine(of body: [UInt8]) -> [UInt8]? {
        let line = body.prefix { $0 != 0x0D && $0 != 0x0A }
        guard line.starts(with: "--".utf8), (3...72).contains(line.count), line.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        let behind = body[line.endIndex...].drop { $0 == 0x0D || $0 == 0x0A }.prefix("content-disposition".utf8.count)
        guard String(decoding: behind, as: UTF8.self).lowercased() == "content-disposition" else { return nil }
        return Array(line.dropFirst(2))
    }

    private static func delimiters(of body: [UInt8], _ boundary: [UInt8]) -> [Range<Int>] {
        let dashed = Array("--".utf8) + boundary
        var found: [Range<Int>] = []
        var start = 0
        while start < body.count {
            let end = body[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
            // Blanks may stand behind it, and two dashes behind the last one.
            if body[start..<end].starts(with: dashed),
                body[(start + dashed.count)..<end].allSatisfy({ " \t\r\n-".utf8.contains($0) })
            {
                found.append(start..<end)
            }
            start = end
        }
        return found
    }
}
