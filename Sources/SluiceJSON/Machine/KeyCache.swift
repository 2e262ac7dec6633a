import CSIMD

/// A key as it is written in documents, and the key that followed it last time.
typealias KeySlot = sluice_json_slot

/// Predicts the next key: API documents repeat themselves, so the key that followed last time mostly follows again. A
/// key that was not predicted is looked up by its hash.
///
/// Each declared key has a slot of its own; the undeclared keys of an object table share a few, by their hash.
struct KeyCache {
    /// Length of the longest key that is kept whole, in bytes, with its quotes.
    static let textBytes = SLUICE_JSON_LONG - 1
    /// Slots for undeclared keys of each object table.
    private static let undeclaredCount = 64
    /// How many slots are tried for one key.
    private static let tries = 16

    private var memory: UnsafeMutablePointer<KeySlot>
    /// Slot of the first key of each object table.
    private(set) var firstSlots: UnsafeMutablePointer<Int32>
    /// For each object table, slots by the hash of their keys.
    private(set) var index: UnsafeMutablePointer<Int32>
    /// For each object table, the patterns of objects that were elements of arrays.
    private(set) var patterns: UnsafeMutablePointer<sluice_json_pattern>
    private var memberCount = 0
    private var tables: PlanTables

    /// The slots; the one before the first matches no key.
    var base: UnsafeMutablePointer<KeySlot> { memory + 1 }

    init(_ plan: Plan) {
        memory = .allocate(capacity: 1)
        firstSlots = .allocate(capacity: 1)
        index = .allocate(capacity: 1)
        patterns = .allocate(capacity: 1)
        tables = plan.tables
        adopt(plan)
    }

    /// Clears the cache and sets it up for the plan.
    mutating func adopt(_ plan: Plan) {
        deallocate()
        memberCount = plan.memberCount
        tables = plan.tables
        let objects = max(plan.objectCount, 1)
        let count = 1 + memberCount + objects * Self.undeclaredCount
        memory = .allocate(capacity: count)
        memory.initialize(repeating: KeySlot(member: 0, node: 0), count: count)
        firstSlots = .allocate(capacity: objects)
        firstSlots.initialize(repeating: -1, count: objects)
        index = .allocate(capacity: objects * SLUICE_JSON_INDEX)
        index.initialize(repeating: -1, count: objects * SLUICE_JSON_INDEX)
        patterns = .allocate(capacity: objects * SLUICE_JSON_SHAPES)
        sluice_json_clear_patterns(patterns, objects * SLUICE_JSON_SHAPES)
        for table in 0..<plan.objectCount {
            let object = tables.objects[table]
            for member in object.members.indices {
                let key = tables.members[member].key
                let count = Int(key.count) > Self.textBytes ? 0 : Int(key.count)
                fill(member, tables.text + Int(key.start), count, Int32(member), table)
            }
            fill(Int(object.other), tables.text, 0, object.other, table)
        }
    }

    /// The member of the key if it is the predicted one; else nil.
    mutating func takePredicted(
        _ text: BytePointer, _ count: Int, in frame: UnsafeMutablePointer<Frame>
    ) -> Int32? {
        let predicted = frame.pointee.predicted
        let slot = base + Int(predicted)
        guard Self.holds(slot, text, count) else { return nil }
        frame.pointee.slot = predicted
        frame.pointee.predicted = slot.pointee.next
        return slot.pointee.member
    }

    /// Notes a key that has been looked up, and that it followed the frame's last key.
    mutating func note(
        _ text: BytePointer, _ count: Int, member: Int32, isDeclared: Bool,
        in frame: UnsafeMutablePointer<Frame>
    ) {
        var slot = Int(member)
        if !isDeclared {
            slot = undeclaredSlot(text, count, member, Int(frame.pointee.table))
        }
        if frame.pointee.slot < 0 {
            firstSlots[Int(frame.pointee.table)] = Int32(slot)
        } else {
            base[Int(frame.pointee.slot)].next = Int32(slot)
        }
        frame.pointee.slot = Int32(slot)
        frame.pointee.predicted = base[slot].next
    }

    /// The slot of an undeclared key, which is filled if the key has none.
    private func undeclaredSlot(
        _ text: BytePointer, _ count: Int, _ member: Int32, _ table: Int
    ) -> Int {
        let count = min(count, SLUICE_JSON_LONG)
        if count > Self.textBytes, isShadowed(text, table) { return Int(member) }
        let first = memberCount + table * Self.undeclaredCount
        let hash = Int(Self.hash(text, count) >> 8)
        for attempt in 0..<Self.tries {
            let slot = first + (hash + attempt) % Self.undeclaredCount
            if Self.holds(base + slot, text, count) { return slot }
            if base[slot].count == 0 {
                fill(slot, text, count, member, table)
                return slot
            }
        }
        let slot = first + hash % Self.undeclaredCount
        fill(slot, text, count, member, table)
        return slot
    }

    /// Whether a declared key has the same beginning as this long key.
    private func isShadowed(_ text: BytePointer, _ table: Int) -> Bool {
        tables.objects[table].members.indices.contains { number in
            let key = tables.members[number].key
            return Int(key.count) >= SLUICE_JSON_LONG
                && sluice_json_same(text, tables.text + Int(key.start), SLUICE_JSON_LONG)
        }
    }

    private func fill(_ slot: Int, _ text: BytePointer, _ count: Int, _ member: Int32, _ table: Int) {
        let known = tables.members[Int(member)]
        var filled = KeySlot(member: member, node: known.node)
        filled.accepts = tables.walkNodes[Int(known.node)].accepts
        filled.digits = tables.walkNodes[Int(known.node)].digits
        filled.action = known.walkAction
        filled.seen = known.mask
        if count > 0 { filled.remember(text, count, isWalked: known.isWalked) }
        (base + slot).initialize(to: filled)
        if filled.count == 0 || !known.isWalked { return }
        let size = SLUICE_JSON_INDEX
        let hash = Int(Self.hash(text, count))
        var entry = table * size + hash % size
        for attempt in 1..<SLUICE_JSON_TRIES where index[entry] >= 0 {
            let other = table * size + (hash + attempt) % size
            if index[other] < 0 { entry = other }
        }
        index[entry] = Int32(slot)
    }

    /// As `sluice_json_hash`, but reads nothing behind the key, which may be the last bytes of its chunk.
    private static func hash(_ key: BytePointer, _ count: Int) -> UInt32 {
        if count >= 8 { return sluice_json_hash(key, count) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { copy in
            copy.initialize(repeating: 0)
            for index in 0..<count { copy[index] = key[index] }
            return sluice_json_hash(copy.baseAddress.map { UnsafePointer($0) } ?? key, count)
        }
    }

    private static func holds(
        _ slot: UnsafePointer<KeySlot>, _ key: BytePointer, _ count: Int
    ) -> Bool {
        guard Int(slot.pointee.count) == count else { return false }
        return sluice_json_same(key, UnsafeRawPointer(slot).assumingMemoryBound(to: UInt8.self), count)
    }

    func deallocate() {
        memory.deallocate()
        firstSlots.deallocate()
        index.deallocate()
        patterns.deallocate()
    }
}

extension KeySlot {
    /// A slot without a text. UTF-8 has no byte 0xFF, so the slot never matches. The 0xFF has to be compared with a
    /// byte of the key itself: bytes behind the window are not proven to be UTF-8 yet and may be anything.
    init(member: Int32, node: Int32) {
        self.init()
        text.0 = 0xFF
        mask = 1
        next = -1
        self.member = member
        self.node = node
    }

    /// - Parameter isWalked: whether the kernel's walk may match the key without looking at the plan.
    fileprivate mutating func remember(_ key: BytePointer, _ count: Int, isWalked: Bool) {
        self.count = Int16(count)
        withUnsafeMutableBytes(of: &text) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: key, count: count))
            $0[count] = 0xFF
        }
        mask = UInt32.lowBits(isWalked && count < SLUICE_JSON_LONG ? count : count + 1)
    }
}

extension UInt32 {
    /// A word whose lowest `count` bits are set, up to 32.
    @inline(__always)
    static func lowBits(_ count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 as UInt64)
    }
}
