/// Writes a record: little-endian words, and runs of bytes preceded by their length.
struct RecordWriter {
    var bytes: [UInt8]

    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func put<Word: FixedWidthInteger>(_ word: Word) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(run: some Collection<UInt8>) {
        put(UInt32(run.count))
        bytes.append(contentsOf: run)
    }

    mutating func put(list: [[UInt8]]) {
        put(UInt32(list.count))
        for item in list { put(run: item) }
    }
}
