/// The lookup behind ``FieldID/init(name:)``: an open-addressed table from a hash of length and three letters to the
/// identifier, and for each identifier its name in two forms that can be compared by words.
///
/// A name equals an entry when `name | mask == lower`: the mask has bit 0x20 only where the entry has a letter, so that
/// no other byte is mistaken for a letter.
struct FieldNames: ~Copyable, @unchecked Sendable {
    static let shared = FieldNames()

    private static let slotCount = 1024
    private static let nameBytesMax = 32
    /// Bytes of one entry: lower-case name, then mask.
    private static let entryBytes = 64

    // Written once in init, never freed: the table lives as long as the process. That is why Sendable holds.
    private let slots: UnsafeMutablePointer<UInt8>
    private let counts: UnsafeMutablePointer<UInt8>
    private let entries: UnsafeMutableRawPointer

    private init() {
        let entryCount = FieldID.allCases.count
        slots = .allocate(capacity: Self.slotCount)
        slots.initialize(repeating: 0, count: Self.slotCount)
        counts = .allocate(capacity: entryCount)
        counts.initialize(repeating: 0, count: entryCount)
        entries = .allocate(byteCount: entryCount * Self.entryBytes, alignment: 64)
        for id in FieldID.allCases where id != .other {
            let name = UnsafeBufferPointer(start: id.canonicalName.utf8Start, count: id.canonicalName.utf8CodeUnitCount)
            guard let nameBase = name.baseAddress else { continue }
            precondition(name.count <= Self.nameBytesMax)
            counts[Int(id.rawValue)] = UInt8(name.count)
            let entry = entries + Int(id.rawValue) * Self.entryBytes
            for (index, byte) in name.enumerated() {
                let lower = byte.lowercased
                let isLetter = lower &- 0x61 < 26
                entry.storeBytes(of: lower, toByteOffset: index, as: UInt8.self)
                entry.storeBytes(of: isLetter ? 0x20 : 0, toByteOffset: Self.nameBytesMax + index, as: UInt8.self)
            }
            var slot = Self.hash(nameBase, name.count)
            while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
            slots[slot] = id.rawValue
        }
    }

    @inline(__always)
    private static func hash(_ name: UnsafeRawPointer, _ count: Int) -> Int {
        let first = Int(name.load(as: UInt8.self) | 0x20)
        let middle = Int(name.load(fromByteOffset: count / 2, as: UInt8.self) | 0x20)
        let last = Int(name.load(fromByteOffset: count - 1, as: UInt8.self) | 0x20)
        return (count &* 131 &+ first &* 31 &+ middle &* 17 &+ last &* 7) & (slotCount - 1)
    }

    func find(_ name: UnsafeRawBufferPointer) -> FieldID {
        guard let base = name.baseAddress, name.count > 0, name.count <= Self.nameBytesMax else { return .other }
        var slot = Self.hash(base, name.count)
        while slots[slot] != 0 {
            let raw = slots[slot]
            if Int(counts[Int(raw)]) == name.count, matches(base, name.count, entries + Int(raw) * Self.entryBytes) {
                return FieldID(rawValue: raw) ?? .other
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return .other
    }

    private func matches(_ name: UnsafeRawPointer, _ count: Int, _ entry: UnsafeMutableRawPointer) -> Bool {
        if count >= 8 {
            var offset = 0
            while offset + 8 <= count {
                guard equal(name, entry, offset, UInt64.self) else { return false }
                offset += 8
            }
            return equal(name, entry, count - 8, UInt64.self)
        }
        if count >= 4 { return equal(name, entry, 0, UInt32.self) && equal(name, entry, count - 4, UInt32.self) }
        for offset in 0..<count where !equal(name, entry, offset, UInt8.self) { return false }
        return true
    }

    @inline(__always)
    private func equal<Word: FixedWidthInteger & BitwiseCopyable>(
        _ name: UnsafeRawPointer, _ entry: UnsafeMutableRawPointer, _ offset: Int, _ type: Word.Type
    ) -> Bool {
        let word = name.loadUnaligned(fromByteOffset: offset, as: type)
        let mask = entry.loadUnaligned(fromByteOffset: Self.nameBytesMax + offset, as: type)
        return word | mask == entry.loadUnaligned(fromByteOffset: offset, as: type)
    }
}
