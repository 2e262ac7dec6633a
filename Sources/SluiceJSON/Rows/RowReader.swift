public import SluiceContract

/// Reads the rows of a text (NDJSON, CSV, server-sent events): bytes go in, a JSON array comes out, the same wherever
/// the text is cut. It keeps one row at most; an ``Extractor`` checks the rows.
public final class RowReader {
    /// A byte order mark at the beginning of a text is not part of the text (RFC 3629 §6).
    private enum Lead {
        case awaited(count: Int)
        case passed
    }

    // Exactly one of these is set.
    private var lines: LineRows?
    private var events: EventRows?
    private var table: TableRows?
    private var lead: Lead
    private var output = RowOutput()
    /// The fault of the text; once it is set, there is no more output.
    public private(set) var fault: Problem.Fault?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    public init(_ plan: RowPlan) {
        switch plan.policy.format {
        case .ndjson: lines = LineRows(rowBytesMax: plan.rowBytesMax)
        case .events(let end): events = EventRows(end: end, rowBytesMax: plan.rowBytesMax)
        case .csv(let format):
            table = plan.columns.map {
                TableRows($0, separator: format.separator, rowBytesMax: plan.rowBytesMax)
            }
        }
        // JSON has no byte order mark (RFC 8259 §8.1).
        if case .ndjson = plan.policy.format { lead = .passed } else { lead = .awaited(count: 0) }
    }

    /// The output for the last piece of text: the next part of the JSON array.
    public var bytes: [UInt8] { output.bytes }

    /// The end offsets of whole rows in ``bytes``.
    public var rowEnds: [Int] { output.ends }

    /// Takes more of the text. The ``bytes`` of the previous piece are dropped.
    public func feed(_ chunk: UnsafeRawBufferPointer) {
        output.removeAll()
        guard fault == nil else { return }
        guard case .awaited(var count) = lead else { return take(chunk) }
        var rest = chunk
        while count < Self.byteOrderMark.count, let byte = rest.first {
            guard byte == Self.byteOrderMark[count] else { break }
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        if count == Self.byteOrderMark.count {
            lead = .passed
        } else if rest.isEmpty {
            lead = .awaited(count: count)
            return
        } else {
            passLead(count)
        }
        take(rest)
    }

    /// The bytes that looked like a byte order mark are text.
    private func passLead(_ count: Int) {
        lead = .passed
        Self.byteOrderMark.prefix(count).withUnsafeBytes { take($0) }
    }

    /// The text has ended.
    public func finish() {
        output.removeAll()
        if case .awaited(let count) = lead { passLead(count) }
        guard fault == nil else { return }
        do throws(RowFault) {
            try lines?.finish(&output)
            try events?.finish()
            try table?.finish(&output)
            output.endArray()
        } catch {
            note(error)
        }
    }

    private func take(_ chunk: UnsafeRawBufferPointer) {
        guard fault == nil else { return }
        do throws(RowFault) {
            try lines?.feed(chunk, &output)
            try events?.feed(chunk, &output)
            try table?.feed(chunk, &output)
        } catch {
            note(error)
        }
    }

    private func note(_ found: RowFault) {
        fault = Problem.Fault(
            name: "$[\(output.currentRow)]", location: "response", expected: found.expected, found: found.found)
    }
}
