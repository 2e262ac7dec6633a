/// Server-sent events (WHATWG HTML §9.2.6): the data of each event is one JSON value. Other fields, comments and events
/// without data are ignored.
struct EventRows {
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    /// A line feed behind a carriage return ends no line of its own.
    private var isBehindReturn = false
    private var isOver = false
    private let end: [UInt8]?
    private let rowBytesMax: Int

    private static let dataField = Array("data".utf8)
    private static let oneValue = "one JSON value as an event's data"

    init(end: String?, rowBytesMax: Int) {
        self.end = end.map { Array($0.utf8) }
        self.rowBytesMax = rowBytesMax
    }

    mutating func feed(_ chunk: UnsafeRawBufferPointer, _ out: inout RowOutput) throws(RowFault) {
        for byte in chunk {
            if isOver { return }
            let wasBehindReturn = isBehindReturn
            isBehindReturn = byte == UInt8(ascii: "\r")
            if byte == UInt8(ascii: "\n"), wasBehindReturn { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                try endLine(&out)
                line.removeAll(keepingCapacity: true)
            } else {
                if line.count + data.count >= rowBytesMax { throw .tooLong(rowBytesMax) }
                line.append(byte)
            }
        }
    }

    private mutating func endLine(_ out: inout RowOutput) throws(RowFault) {
        if line.isEmpty { return try dispatch(&out) }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.elementsEqual(Self.dataField) else { return }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if hasData { data.append(UInt8(ascii: "\n")) }
        hasData = true
        data += value
    }

    private mutating func dispatch(_ out: inout RowOutput) throws(RowFault) {
        defer {
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        if data.isEmpty { return }
        if data == end {
            isOver = true
            return
        }
        if data.allSatisfy({ [0x20, 0x09, 0x0A].contains($0) }) {
            // In the array, blanks alone would not make a row.
            throw RowFault(expected: Self.oneValue, found: "data of blanks alone")
        }
        out.beginRow()
        var scan = ValueScan()
        for byte in data {
            if !scan.take(byte) { throw ValueScan.fault(byte, expected: Self.oneValue) }
            // Outside strings a line feed is white space; it becomes a space, because a row has one line.
            out.append(byte == UInt8(ascii: "\n") && !scan.isInString ? UInt8(ascii: " ") : byte)
        }
        if !scan.isWhole {
            throw RowFault(expected: Self.oneValue, found: "data that end inside of a value")
        }
        out.endRow()
    }

    /// An event without its empty line is not dispatched; without this fault it would be lost silently.
    mutating func finish() throws(RowFault) {
        if isOver { return }
        if hasData || line.starts(with: Self.dataField) {
            throw RowFault(expected: "an empty line behind the last event", found: "the end of the stream")
        }
    }
}
