internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What one answer says of an error in it, while it streams past (``ErrorSlices``).
final class ErrorReading {
    private let slices: ErrorSlices
    private var texts: [[UInt8]]
    /// Bytes of one text: a longer one is not read.
    private static let textBytesMax = 16 << 10

    init(_ slices: ErrorSlices) {
        self.slices = slices
        texts = Array(repeating: [], count: slices.extractions.count)
    }

    var rule: ErrorRule { slices.rule }

    func take(_ pieces: UnsafeBufferPointer<Extractor.Piece>) {
        for piece in pieces where piece.slice >= slices.first {
            let index = piece.slice - slices.first
            let room = Self.textBytesMax + 1 - texts[index].count
            texts[index].append(contentsOf: UnsafeRawBufferPointer(start: piece.base, count: min(piece.count, room)))
        }
    }

    // MARK: - The judgement

    /// Whether what has been seen of the document makes it an error; where its end is still to come, it may become one.
    func isReported(_ extractor: Extractor) -> Bool {
        let when = rule.when.indices.map { holds(rule.when[$0], slices.first + $0, extractor) }
        if !when.isEmpty, when.allSatisfy({ $0 == true }) { return true }
        return rule.unless.indices.contains { index in
            holds(rule.unless[index], slices.first + when.count + index, extractor) == false
        }
    }

    /// - Returns: nil while that is not known.
    private func holds(_ condition: ReportedError.Condition, _ slice: Int, _ extractor: Extractor) -> Bool? {
        // A path that meets something else than it wants on its way leads to nothing.
        if extractor.isFailed(slice: slice) { return false }
        switch extractor.state(of: slice) {
        case .absent: return false
        case .pending, .open: return nil
        case .complete: break
        }
        let found = texts[slice - slices.first]
        if condition.values.isEmpty { return Self.saysSomething(found) }
        return condition.values.contains { Self.isSame($0, found) }
    }

    /// Whether a value is more than null, false, 0 or something empty.
    private static func saysSomething(_ json: [UInt8]) -> Bool {
        switch json.first {
        case UInt8(ascii: "n"), UInt8(ascii: "f"), nil: return false
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "\""): return json.count > 2
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let inside = json.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            return inside != UInt8(ascii: "]") && inside != UInt8(ascii: "}")
        default: return Double(String(decoding: json, as: UTF8.self)) != 0
        }
    }

    private static func isSame(_ wanted: String, _ json: [UInt8]) -> Bool {
        let found = String(decoding: json, as: UTF8.self)
        if found == wanted { return true }
        if let text = JSONText.unquote(found) { return text == JSONText.unquote(wanted) }
        return Double(found).map { $0 == Double(wanted) } ?? false
    }

    // MARK: - The problem

    func problem(_ extractor: Extractor, _ fields: borrowing HeaderBlock, upstream: String) -> Problem {
        var problem = Problem(
            .reportedError, status: rule.status, detail: "'\(upstream)' reported an error with a status of success.")
        problem.upstream = upstream
        if let message = text(rule.message, slices.messageSlice, extractor, fields), !message.isEmpty {
            problem.detail = Judge.cut(message, to: 1000)
        }
        if let code = text(rule.code, slices.codeSlice, extractor, fields) {
            problem.upstreamCode = Judge.cut(code, to: 200)
            if let status = rule.codes[code] { problem.status = status }
        }
        problem.isRetryable = [408, 429, 503, 504].contains(problem.status)
        return problem
    }

    private func text(
        _ text: ErrorText?, _ slice: Int?, _ extractor: Extractor, _ fields: borrowing HeaderBlock
    ) -> String? {
        guard let slice else {
            if case .header(let name)? = text { return ErrorBody.field(name, fields) }
            return nil
        }
        guard extractor.state(of: slice) == .complete, !extractor.isFailed(slice: slice) else { return nil }
        let json = texts[slice - slices.first]
        if json.count > Self.textBytesMax { return nil }
        return JSONPick.text(of: String(decoding: json, as: UTF8.self))
    }
}
