/// Reads the parts of a record; nil for anything that does not fit.
struct RecordReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    /// The most items of a list; no writer makes longer ones.
    private static let itemsMax = 1 << 16

    init(_ bytes: UnsafeRawBufferPointer, from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func word<Word: FixedWidthInteger>(_: Word.Type = Word.self) -> Word? {
        let count = MemoryLayout<Word>.size
        guard bytes.count - position >= count else { return nil }
        defer { position += count }
        return Word(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Word.self))
    }

    mutating func range() -> Range<Int>? {
        guard let count = word(UInt32.self), bytes.count - position >= Int(count) else { return nil }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }

    mutating func run() -> [UInt8]? { range().map { Array(bytes[$0]) } }

    mutating func list() -> [[UInt8]]? {
        list { $0.run() }
    }

    mutating func list<Item>(_ read: (inout RecordReader) -> Item?) -> [Item]? {
        guard let count = word(UInt32.self), count <= Self.itemsMax else { return nil }
        var items: [Item] = []
        for _ in 0..<count {
            guard let item = read(&self) else { return nil }
            items.append(item)
        }
        return items
    }
}
