import CSIMD

/// A key as it stands in documents, with what came after it last time.
struct KeySlot {
    /// Longest key that is remembered, bytes with its quotes.
    static let textBytes = 32

    /// The key with its quotes.
    var text: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// A bit for each byte of the text.
    var mask: UInt32 = 0
    /// Slot of the key that followed; -1 is unknown.
    var next: Int32 = -1
    var member: Int32 = 0
    /// What the plan's ``Member`` says.
    var node: Int32 = 0
    var seen: UInt64 = 0
    /// Whether the text is remembered, and the member's ``Member/isQuick``.
    var isQuick = false
}

/// Which key followed which: API documents repeat themselves, so that the next key is mostly known before it is read.
///
/// Each declared key has a slot of its own; the undeclared ones of an object share a few, by their hash.
struct KeySlots {
    /// Slots for undeclared keys of each object table.
    private static let undeclaredCount = 64
    /// Slots that are tried for one key.
    private static let tries = 4

    private(set) var base: UnsafeMutablePointer<KeySlot>
    /// Slot of the first key of each object table.
    private(set) var firsts: UnsafeMutablePointer<Int32>
    private var memberCount = 0
    private var members: UnsafeMutablePointer<Member>

    init(_ plan: Plan) {
        base = .allocate(capacity: 1)
        firsts = .allocate(capacity: 1)
        members = plan.tables.members
        adopt(plan)
    }

    /// Forgets everything.
    mutating func adopt(_ plan: Plan) {
        deallocate()
        memberCount = plan.memberCount
        members = plan.tables.members
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
            slot = undeclaredSlot(text, count, member, Int(frame.pointee.table))
        }
        if frame.pointee.slot < 0 {
            firsts[Int(frame.pointee.table)] = Int32(slot)
        } else {
            base[Int(frame.pointee.slot)].next = Int32(slot)
        }
        frame.pointee.slot = Int32(slot)
        frame.pointee.guess = base[slot].next
    }

    /// The slot that holds an undeclared key, or from now on does.
    private func undeclaredSlot(
        _ text: UnsafePointer<UInt8>, _ count: Int, _ member: Int32, _ table: Int
    ) -> Int {
        let first = memberCount + table * Self.undeclaredCount
        let hash = Int(KeyHash.of(text + 1, count - 2))
        for attempt in 0..<Self.tries {
            let slot = first + (hash + attempt) % Self.undeclaredCount
            if holds(slot, text, count) { return slot }
            if base[slot].mask == 0 {
                fill(slot, text, count, member)
                return slot
            }
        }
        let slot = first + hash % Self.undeclaredCount
        fill(slot, text, count, member)
        return slot
    }

    private func holds(_ slot: Int, _ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        base[slot].mask == UInt32.lowBits(count) && count <= KeySlot.textBytes
            && sluice_json_same(UnsafeRawPointer(base + slot).assumingMemoryBound(to: UInt8.self), text, count)
    }

    private func fill(_ slot: Int, _ text: UnsafePointer<UInt8>, _ count: Int, _ member: Int32) {
        let known = members[Int(member)]
        var filled = KeySlot(member: member, node: known.node, seen: known.mask)
        if count <= KeySlot.textBytes {
            withUnsafeMutableBytes(of: &filled.text) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: text, count: count))
            }
            filled.mask = UInt32.lowBits(count)
            filled.isQuick = known.isQuick
        }
        (base + slot).initialize(to: filled)
    }

    func deallocate() {
        base.deallocate()
        firsts.deallocate()
    }
}
