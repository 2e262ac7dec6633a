internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Reads an answer in rows of text, which is no JSON document, feeds the rows to the extractor, and takes them out one
/// by one.
final class RowExtraction {
    let reader: RowReader
    let policy: RowPolicy
    /// Where rows are sent one by one: the output of the current row so far.
    private var line = ByteScratch()
    private var isFirst = true
    /// A row is not as declared. Rows before it may still be sent.
    var isSpoilt = false

    init(_ plan: RowPlan) {
        reader = RowReader(plan)
        policy = plan.policy
    }

    func append(_ run: UnsafeRawBufferPointer) { line.append(run) }

    /// A row is complete and valid. The bracket or comma before it, which joins it to an array, is removed.
    func endLine(into held: inout Outbox) {
        var row = line.bytes[...]
        if isFirst, row.first == UInt8(ascii: "[") { row = row.dropFirst() }
        if row.first == UInt8(ascii: ",") { row = row.dropFirst() }
        while let last = row.last, last <= 0x20 { row = row.dropLast() }
        if !row.isEmpty {
            held.append(UnsafeRawBufferPointer(rebasing: row))
            held.append("\n")
        }
        isFirst = false
        line.removeAll()
    }

    /// The problem of the answer, with the fault in the text itself. Offsets are removed: they belong to the converted
    /// text, which nobody sees.
    /// - Parameter isBroken: whether the converted text is no JSON.
    func problem(_ found: Problem, upstream: String, isBroken: Bool) -> Problem {
        var problem = found
        for index in problem.faults.indices { problem.faults[index].offset = nil }
        guard let fault = reader.fault else {
            // Whatever else a field holds is escaped.
            if isBroken, case .csv = policy.format { problem.detail = "The answer of '\(upstream)' is not UTF-8." }
            return problem
        }
        problem.detail = "The answer of '\(upstream)' holds no rows of \(policy.format.name)."
        problem.faults.append(fault)
        return problem
    }
}

extension AnswerExtraction {
    mutating func feed(_ bytes: UnsafeRawBufferPointer, _ rows: RowExtraction, _ extractor: Extractor) -> Outcome {
        rows.reader.feed(bytes)
        return take(rows, extractor)
    }

    /// The text has ended.
    mutating func finish(_ rows: RowExtraction, _ extractor: Extractor) -> Outcome {
        rows.reader.finish()
        let outcome = take(rows, extractor)
        if outcome == .failed || rows.isSpoilt { return outcome }
        extractor.finish()
        if rows.policy.delivery == .lines {
            extractor.clearPieces()
            return outcome
        }
        let last = takePieces(of: extractor, in: .empty)
        if hasFailed(extractor) { return .failed }
        return outcome == .held ? last : outcome
    }

    private mutating func take(_ rows: RowExtraction, _ extractor: Extractor) -> Outcome {
        if rows.policy.delivery == .lines { return takeLines(rows, extractor) }
        rows.reader.bytes.withUnsafeBytes { extractor.feed($0) }
        let outcome = takePieces(of: extractor, in: .empty)
        return rows.reader.fault == nil ? outcome : .failed
    }

    /// Sends each row once it is valid, whatever follows it.
    private mutating func takeLines(_ rows: RowExtraction, _ extractor: Extractor) -> Outcome {
        let bytes = rows.reader.bytes
        let ends = rows.reader.rowEnds
        var start = 0
        for (number, end) in (ends + [bytes.count]).enumerated() {
            bytes[start..<end].withUnsafeBytes { extractor.feed($0) }
            start = end
            for piece in extractor.pieces where piece.slice == valueSlice {
                rows.append(UnsafeRawBufferPointer(start: piece.base, count: piece.count))
            }
            noted?.take(extractor.pieces)
            extractor.clearPieces()
            rows.isSpoilt = hasFailed(extractor)
            if rows.isSpoilt { break }
            if number < ends.count { rows.endLine(into: &held) }
        }
        if rows.reader.fault != nil { rows.isSpoilt = true }
        if held.isEmpty { return rows.isSpoilt ? .failed : .held }
        if delivery == .streaming { return .streams }
        delivery = .streaming
        return .outgrown
    }
}
