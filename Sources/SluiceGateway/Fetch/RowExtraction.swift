internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The rows of an answer that is no JSON document, on their way to the extractor and, row by row, out of it.
final class RowExtraction {
    let reader: RowReader
    let policy: RowPolicy
    /// Of rows that go out one by one: what has come out of the one under way.
    private var line = ByteScratch()
    private var isFirst = true
    /// A row is not as declared. Those before it may still go out.
    var isSpoilt = false

    init(_ plan: RowPlan) {
        reader = RowReader(plan)
        policy = plan.policy
    }

    func append(_ run: UnsafeRawBufferPointer) { line.append(run) }

    /// A row is whole and proven. In front of it stands what joins it to an array.
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

    /// What is wrong, the text itself included. Offsets are those of no text that anybody sees.
    func problem(_ found: Problem, upstream: String) -> Problem {
        var problem = found
        for index in problem.faults.indices { problem.faults[index].offset = nil }
        guard let fault = reader.fault else { return problem }
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

    /// Each row goes out once it is proven, whatever comes behind it.
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
