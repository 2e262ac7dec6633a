internal import SluiceContract

/// The output for the last piece of a text: a part of one JSON array, and where rows end in it.
struct RowOutput {
    private(set) var bytes: [UInt8] = []
    /// The end offset of each whole row.
    private(set) var ends: [Int] = []
    /// Rows that have begun so far.
    private var rowCount = 0
    private var isInRow = false

    /// Memory that is kept from piece to piece.
    private static let keptBytes = 64 << 10

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func beginRow() {
        bytes.append(UInt8(ascii: rowCount == 0 ? "[" : ","))
        rowCount += 1
        isInRow = true
    }

    /// The number of the row that has begun and not ended, or of the next one.
    var currentRow: Int { isInRow ? rowCount - 1 : rowCount }

    mutating func append(_ run: some Sequence<UInt8>) { bytes.append(contentsOf: run) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Ends a row with a line feed, so that the end of a number is known.
    mutating func endRow() {
        bytes.append(UInt8(ascii: "\n"))
        ends.append(bytes.count)
        isInRow = false
    }

    mutating func endArray() {
        if rowCount == 0 { bytes.append(UInt8(ascii: "[")) }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func appendString(_ text: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text { JSONEscape.append(byte, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// What is wrong with a row of a text.
struct RowFault: Error {
    var expected: String
    var found: String
}
