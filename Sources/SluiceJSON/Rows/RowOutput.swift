/// What has come out of the last piece of a text: a part of one JSON array, and where rows end in it.
struct RowOutput {
    private(set) var bytes: [UInt8] = []
    /// Offsets behind the last byte of each row that is whole.
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

    /// The number of the row that is under way, or comes next.
    var currentRow: Int { isInRow ? rowCount - 1 : rowCount }

    mutating func append(_ run: some Sequence<UInt8>) { bytes.append(contentsOf: run) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// The line feed ends a number, too.
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
        for byte in text { JSONText.appendEscaped(byte, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Why a text holds no rows, at one of them.
struct RowFault: Error {
    var expected: String
    var found: String
}
