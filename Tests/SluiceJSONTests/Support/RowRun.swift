import SluiceContract

@testable import SluiceJSON

/// All that can be seen of a text that was read as rows.
struct RowRun: Equatable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private(set) var fault: Problem.Fault?

    init(_ plan: RowPlan, _ text: [UInt8], cuts: [Int]) {
        let reader = RowReader(plan)
        var start = 0
        for cut in cuts + [text.count] {
            Array(text[start..<cut]).withUnsafeBytes { reader.feed($0) }
            start = cut
            take(reader)
        }
        reader.finish()
        take(reader)
        fault = reader.fault
        // How much of a row that is not whole has come out depends on the cuts.
        if fault != nil { bytes.removeSubrange((ends.last ?? 0)...) }
    }

    private mutating func take(_ reader: RowReader) {
        ends += reader.rowEnds.map { $0 + bytes.count }
        bytes += reader.bytes
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Each without what joins it to the others.
    var rows: [String] {
        zip([0] + ends, ends).map { String(decoding: bytes[($0 + 1)..<($1 - 1)], as: UTF8.self) }
    }
}
