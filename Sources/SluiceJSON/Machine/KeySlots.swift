import CSIMD

/// A key as it stands in documents, with what came after it last time.
struct KeySlot {
    /// Longest key that is remembered, bytes with its quotes.
    static let textBytes = 32

    /// The key with its quotes.
    var text: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// Bytes of the text; 0 where it is too long to be remembered.
    var count: Int32 = 0
    var member: Int32 = 0
    /// Slot of the key that followed; -1 is unknown.
    var next: Int32 = -1
}

/// Which key followed which: API documents repeat themselves, so that the next key is mostly known before it is read.
///
/// Each declared key has a slot of its own; the undeclared ones of an object share a few, by their hash.
struct KeySlots {
    /// Slots for undeclared keys of each object table.
    private static let undeclaredCount = 32

    private(set) var base: UnsafeMutablePointer<KeySlot>
    /// Slot of the first key of each object table.
    private(set) var firsts: UnsafeMutablePointer<Int32>
    private var memberCount = 0

    init(_ plan: Plan) {
        base = .allocate(capacity: 1)
        firsts = .allocate(capacity: 1)
        adopt(plan)
    }

    /// Forgets everything.
    mutating func adopt(_ plan: Plan) {
        deallocate()
        memberCount = plan.memberCount
        let count = memberCount + plan.objectCount * Self.undeclaredCount
        base = .allocate(capacity: max(count, 1))
        base.initialize(repeating: KeySlot(), count: max(count, 1))
        firsts = .allocate(capacity: max(plan.objectCount, 1))
        firsts.initialize(repeating: -1, count: max(plan.objectCount, 1))
        for member in 0..<memberCount {
            let key = plan.tables.members[member].key
            fill(member, plan.tables.text + Int(key.start), Int(key.count), Int32(member))
        }
    }

    /// A key has been looked up: notes it, and that it follows the one the frame was at.
    mutating func note(
        _ text: UnsafePointer<UInt8>, _ count: Int, member: Int32, isDeclared: Bool,
        in frame: UnsafeMutablePointer<Frame>
    ) {
        var slot = Int(member)
        if !isDeclared {
            let hash = KeyHash.of(text + 1, count - 2)
            slot = memberCount + Int(frame.pointee.table) * Self.undeclaredCount
            slot += Int(hash % UInt32(Self.undeclaredCount))
            if !holds(slot, text, count) { fill(slot, text, count, member) }
        }
        if frame.pointee.slot < 0 {
            firsts[Int(frame.pointee.table)] = Int32(slot)
        } else {
            base[Int(frame.pointee.slot)].next = Int32(slot)
        }
        frame.pointee.slot = Int32(slot)
        frame.pointee.guess = base[slot].next
    }

    private func holds(_ slot: Int, _ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        withUnsafeBytes(of: &base[slot].text) { held in
            Int(base[slot].count) == count
                && held.prefix(count).elementsEqual(UnsafeBufferPointer(start: text, count: count))
        }
    }

    private func fill(_ slot: Int, _ text: UnsafePointer<UInt8>, _ count: Int, _ member: Int32) {
        var filled = KeySlot(member: member)
        if count <= KeySlot.textBytes {
            withUnsafeMutableBytes(of: &filled.text) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: text, count: count))
            }
            filled.count = Int32(count)
        }
        (base + slot).initialize(to: filled)
    }

    func deallocate() {
        base.deallocate()
        firsts.deallocate()
    }
}
