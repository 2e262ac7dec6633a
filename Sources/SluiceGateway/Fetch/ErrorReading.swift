internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Finds an error reported in the body of one answer while it streams past (``ErrorSlices``).
struct ErrorReading {
    private let slices: ErrorSlices
    private let noted: NotedSlices

    init(_ slices: ErrorSlices, _ noted: NotedSlices) {
        self.slices = slices
        self.noted = noted
    }

    var rule: ErrorRule { slices.rule }

    // MARK: - The judgement

    /// Whether the document, as far as it has been read, is an error; before its end, it may still become one.
    func isReported(_ extractor: Extractor) -> Bool {
        let when = rule.when.indices.map { holds(rule.when[$0], slices.first + $0, extractor) }
        if !when.isEmpty, when.allSatisfy({ $0 == true }) { return true }
        return rule.unless.indices.contains { index in
            holds(rule.unless[index], slices.first + when.count + index, extractor) == false
        }
    }

    /// - Returns: nil while the document does not decide it yet.
    private func holds(_ condition: ReportedError.Condition, _ slice: Int, _ extractor: Extractor) -> Bool? {
        // A path that meets a value of an unexpected type leads to nothing.
        if extractor.isFailed(slice: slice) { return false }
        switch extractor.state(of: slice) {
        case .absent: return false
        case .pending, .open: return nil
        case .complete: break
        }
        if condition.values.isEmpty { return noted.saysSomething(slice, extractor) }
        let found = noted.bytes(slice)
        return condition.values.contains { Self.isSame($0, found) }
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
        return noted.text(slice, extractor)
    }
}
