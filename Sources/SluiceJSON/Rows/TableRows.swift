import SluiceContract

/// CSV (RFC 4180): each record becomes an object, with the names of its columns as keys. A line feed alone ends a
/// record, too, and empty lines are ignored.
struct TableRows {
    private enum Place {
        case recordStart, fieldStart, unquoted, quoted
        /// Behind a quote that ends the field, or is the first of two.
        case behindQuote
        /// Behind a carriage return: a line feed has to follow.
        case behindReturn
    }

    private var place = Place.recordStart
    /// The texts of the record's fields, one after the other, without quotes.
    private var text: [UInt8] = []
    private var fields: [Field] = []
    private var isQuoted = false
    /// How many bytes of the record have been read.
    private var recordBytes = 0
    private var columns: TableColumns
    private let separator: UInt8
    private let rowBytesMax: Int

    private struct Field {
        var end: Int
        var isQuoted: Bool
    }

    init(_ columns: TableColumns, separator: RowPolicy.Separator, rowBytesMax: Int) {
        self.columns = columns
        self.separator = separator.byte
        self.rowBytesMax = rowBytesMax
    }

    mutating func feed(_ chunk: UnsafeRawBufferPointer, _ out: inout RowOutput) throws(RowFault) {
        for byte in chunk {
            recordBytes += 1
            if recordBytes > rowBytesMax { throw .tooLong(rowBytesMax) }
            try take(byte, &out)
        }
    }

    private mutating func take(_ byte: UInt8, _ out: inout RowOutput) throws(RowFault) {
        switch place {
        case .quoted:
            if byte == UInt8(ascii: "\"") { place = .behindQuote } else { text.append(byte) }
        case .behindQuote where byte == UInt8(ascii: "\""):
            text.append(byte)
            place = .quoted
        case .behindReturn where byte != UInt8(ascii: "\n"):
            throw RowFault(expected: "a line feed behind a carriage return (RFC 4180 §2)", found: Self.shown(byte))
        case .recordStart, .fieldStart, .unquoted, .behindQuote, .behindReturn:
            switch byte {
            case UInt8(ascii: "\n"): try endRecord(&out)
            case UInt8(ascii: "\r"): place = place == .recordStart ? .behindReturn : endField(then: .behindReturn)
            case separator: place = endField(then: .fieldStart)
            case UInt8(ascii: "\"") where place == .recordStart || place == .fieldStart:
                isQuoted = true
                place = .quoted
            case UInt8(ascii: "\""):
                throw RowFault(
                    expected: "quotes around the whole field (RFC 4180 §2)", found: "a quote inside of a field")
            default:
                if place == .behindQuote {
                    throw RowFault(expected: "a separator or the line's end behind a quote", found: Self.shown(byte))
                }
                text.append(byte)
                place = .unquoted
            }
        }
    }

    private mutating func endField(then next: Place) -> Place {
        fields.append(Field(end: text.count, isQuoted: isQuoted))
        isQuoted = false
        return next
    }

    private mutating func endRecord(_ out: inout RowOutput) throws(RowFault) {
        switch place {
        case .recordStart, .behindReturn: place = .recordStart
        case .fieldStart, .unquoted, .quoted, .behindQuote: place = endField(then: .recordStart)
        }
        recordBytes = 0
        defer {
            text.removeAll(keepingCapacity: true)
            fields.removeAll(keepingCapacity: true)
        }
        if fields.isEmpty { return }
        guard columns.areKnown else { return try columns.read(fields.indices.map { Array(self[$0]) }) }
        guard fields.count == columns.count else {
            out.beginRow()
            throw RowFault(expected: "\(columns.count) fields", found: "\(fields.count)")
        }
        out.beginRow()
        out.append(UInt8(ascii: "{"))
        var hasMember = false
        for index in fields.indices {
            columns.write(self[index], isQuoted: fields[index].isQuoted, index, &hasMember, &out)
        }
        out.append(UInt8(ascii: "}"))
        out.endRow()
    }

    /// The text of a field.
    private subscript(index: Int) -> ArraySlice<UInt8> {
        text[(index == 0 ? 0 : fields[index - 1].end)..<fields[index].end]
    }

    /// The last record may lack its line end.
    mutating func finish(_ out: inout RowOutput) throws(RowFault) {
        if place == .quoted { throw RowFault(expected: "a quote behind the last field", found: "the end of the text") }
        if place == .behindReturn {
            throw RowFault(expected: "a line feed behind a carriage return (RFC 4180 §2)", found: "the end of the text")
        }
        try endRecord(&out)
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x20...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte \(byte)"
    }
}

extension RowPolicy.Separator {
    /// The byte between two fields.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        case .bar: UInt8(ascii: "|")
        }
    }
}
