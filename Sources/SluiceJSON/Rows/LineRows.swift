/// NDJSON: a JSON value in each line. The bytes of a row are not buffered here.
struct LineRows {
    private enum Place {
        /// Nothing but blanks since the line began.
        case start
        case row
    }

    private var place = Place.start
    private var scan = ValueScan()
    private var rowBytes = 0
    private let rowBytesMax: Int

    private static let oneValue = "one JSON value in each line"

    init(rowBytesMax: Int) { self.rowBytesMax = rowBytesMax }

    mutating func feed(_ chunk: UnsafeRawBufferPointer, _ out: inout RowOutput) throws(RowFault) {
        var start = 0
        for index in chunk.indices {
            let byte = chunk[index]
            if byte == UInt8(ascii: "\n") {
                if place == .row { out.append(chunk[start..<index]) }
                try endLine(&out)
                continue
            }
            if place == .start {
                if byte == 0x20 || byte == 0x09 || byte == 0x0D { continue }
                place = .row
                rowBytes = 0
                out.beginRow()
                start = index
            }
            rowBytes += 1
            if rowBytes > rowBytesMax { throw .tooLong(rowBytesMax) }
            if !scan.take(byte) { throw ValueScan.fault(byte, expected: Self.oneValue) }
        }
        if place == .row { out.append(chunk[start...]) }
    }

    private mutating func endLine(_ out: inout RowOutput) throws(RowFault) {
        guard place == .row else { return }
        if !scan.isWhole {
            throw RowFault(expected: Self.oneValue, found: "a line that ends inside of a value")
        }
        out.endRow()
        scan = ValueScan()
        place = .start
    }

    /// The last line may lack its line feed.
    mutating func finish(_ out: inout RowOutput) throws(RowFault) { try endLine(&out) }
}

extension RowFault {
    static func tooLong(_ bytesMax: Int) -> RowFault {
        RowFault(expected: "a row of at most \(bytesMax) bytes ('limits: row')", found: "a longer one")
    }
}
