internal import SluiceContract
internal import SluiceHTTP

/// A body of parts between delimiter lines (RFC 2046 §5.1.1), such as a form with files (RFC 7578). It may be cut off
/// anywhere.
///
/// It is read to remove secrets: where servers may read it in different ways, more is removed.
struct MultipartBody {
    private let body: [UInt8]
    private let boundary: [UInt8]
    /// Ranges of the delimiter lines: the preamble ends with the first, each part with the next one.
    private let delimiters: [Range<Int>]

    /// How deep parts may contain parts.
    private static let depthMax = 4

    /// - Parameter type: the value of Content-Type. Where no boundary that it names is in the body, the first line of a
    ///   form is used.
    /// - Returns: nil where the body is not multipart.
    init?(_ body: [UInt8], type: String?) {
        let named = Self.boundaryParameters(of: type).flatMap { [$0, $0.filter { $0 != UInt8(ascii: "\\") }] }
        for boundary in named + Self.firstLine(of: body) {
            let delimiters = Self.delimiters(of: body, boundary)
            if delimiters.isEmpty { continue }
            (self.body, self.boundary, self.delimiters) = (body, boundary, delimiters)
            return
        }
        return nil
    }

    // MARK: - Without what is secret

    /// Removes the content of parts with names typical of credentials; in all other parts, JSON members with such
    /// names.
    /// - Parameter boundary: the boundary in the result.
    func masked(
        _ redaction: SensitiveMembers.Redaction, also names: Set<String> = [],
        except kept: SensitiveMembers.Kept = .only([]), boundary: Boundary = .own
    ) -> [UInt8] {
        masked(boundary, depth: 0, redacted: Array(redaction.text.utf8)) { content in
            SensitiveMembers.masked(json: Array(content), redaction, also: names, except: kept)
        } isSecret: { name in
            names.contains(name) || SensitiveName.matches(name) && !kept.contains(name)
        }
    }

    private func masked(
        _ boundary: Boundary, depth: Int, redacted: [UInt8], _ plain: (ArraySlice<UInt8>) -> [UInt8],
        isSecret: (String) -> Bool
    ) -> [UInt8] {
        var shown = plain(body[..<delimiters[0].lowerBound])
        let dashed = Array("--".utf8) + (boundary == .own ? self.boundary : Array(fixedBoundary.utf8))
        for (place, delimiter) in delimiters.enumerated() {
            let isLast = place + 1 == delimiters.count
            let end = isLast ? body.count : delimiters[place + 1].lowerBound
            let fields = PartFields(body, delimiter.upperBound..<end)
            let contentEnd = isLast ? end : lineEnd(before: end, after: fields.end)
            let content = body[fields.end..<contentEnd]
            shown += dashed + body[(delimiter.lowerBound + 2 + self.boundary.count)..<delimiter.upperBound]
            shown += plain(body[delimiter.upperBound..<fields.end])
            if fields.isUnnamed || fields.names.contains(where: isSecret) {
                shown += redacted
            } else if depth < Self.depthMax, let inner = MultipartBody(Array(content), type: fields.contentType) {
                shown += inner.masked(.own, depth: depth + 1, redacted: redacted, plain, isSecret: isSecret)
            } else {
                shown += plain(content)
            }
            shown += body[contentEnd..<end]
        }
        return shown
    }

    // MARK: - The same boundary for the same request

    enum Boundary {
        case own
        /// The same for all requests. Programs choose a new boundary for each request; with this one, equal requests
        /// look equal.
        case fixed
    }

    /// The Content-Type for the body with the fixed boundary.
    func typeWithFixedBoundary(_ type: String) -> String {
        let bytes = Array(type.utf8)
        let places = bytes.withUnsafeBytes { bytes in
            Self.parameters(of: bytes).compactMap { parameter -> Range<Int>? in
                guard parameter.name.equalsIgnoringCase("boundary"), let base = bytes.baseAddress,
                    let value = parameter.value.baseAddress,
                    parameter.value.filter({ $0 != UInt8(ascii: "\\") }).elementsEqual(boundary)
                        || parameter.value.elementsEqual(boundary)
                else { return nil }
                return (value - base)..<(value - base + parameter.value.count)
            }
        }
        var result = bytes
        for place in places.reversed() { result.replaceSubrange(place, with: fixedBoundary.utf8) }
        return String(decoding: result, as: UTF8.self)
    }

    /// A boundary that begins no other line of the body.
    private var fixedBoundary: String {
        let name = Array("boundary".utf8)
        let dashed = Array("--".utf8) + name
        var taken: Set<Int> = []
        for line in body.split(separator: 0x0A) where line.starts(with: dashed) {
            let rest = String(decoding: line.dropFirst(dashed.count), as: UTF8.self)
            let number = rest.drop { $0 == "-" }.prefix { $0.isNumber }
            taken.insert(Int(number) ?? 1)
        }
        func text(_ number: Int) -> String { number == 1 ? "boundary" : "boundary-\(number)" }
        var number = 1
        while taken.contains(number), !text(number).utf8.elementsEqual(boundary) { number += 1 }
        return text(number)
    }

    // MARK: - Lines

    /// Where the line end begins that belongs to the following delimiter.
    private func lineEnd(before end: Int, after start: Int) -> Int {
        var position = end
        if position > start, body[position - 1] == 0x0A { position -= 1 }
        if position > start, body[position - 1] == 0x0D { position -= 1 }
        return position
    }

    private static func delimiters(of body: [UInt8], _ boundary: [UInt8]) -> [Range<Int>] {
        let dashed = Array("--".utf8) + boundary
        var found: [Range<Int>] = []
        // A byte order mark belongs to no line.
        var start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < body.count {
            let end = body[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.count
            if body[start..<end].starts(with: dashed) {
                // Two dashes follow the last delimiter; blanks may follow any.
                var rest = body[(start + dashed.count)..<end]
                if rest.starts(with: "--".utf8) { rest = rest.dropFirst(2) }
                if rest.allSatisfy({ " \t\r\n".utf8.contains($0) }) { found.append(start..<end) }
            }
            start = end
        }
        return found
    }

    // MARK: - The boundary

    private static func parameters(of type: UnsafeRawBufferPointer) -> [NamedValue] {
        guard let end = type.firstIndex(of: UInt8(ascii: ";")) else { return [] }
        var iterator = ParameterIterator(UnsafeRawBufferPointer(rebasing: type[end...]))
        var parameters: [NamedValue] = []
        while let parameter = iterator.next() { parameters.append(parameter) }
        return parameters
    }

    private static func boundaryParameters(of type: String?) -> [[UInt8]] {
        guard let type, type.lowercased().hasPrefix("multipart/") else { return [] }
        return Array(type.utf8).withUnsafeBytes { bytes in
            parameters(of: bytes).filter { $0.name.equalsIgnoringCase("boundary") && !$0.value.isEmpty }
                .map { Array($0.value) }
        }
    }

    /// For programs that send another type or none: a line of dashes and letters, with a form field after it.
    private static func firstLine(of body: [UInt8]) -> [[UInt8]] {
        let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]
        let line = body.prefix { $0 != 0x0D && $0 != 0x0A }
        guard line.starts(with: "--".utf8), (3...72).contains(line.count), line.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return [] }
        let behind = body[line.endIndex...].drop { $0 == 0x0D || $0 == 0x0A }.prefix("content-disposition".utf8.count)
        let isForm = String(decoding: behind, as: UTF8.self).lowercased() == "content-disposition"
        return isForm ? [Array(line.dropFirst(2))] : []
    }
}
