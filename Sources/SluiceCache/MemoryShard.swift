/// A part of the memory store: an open-addressed index and the queues of S3-FIFO.
///
/// New entries wait in a small queue of a tenth of the bytes. An entry that is used there moves on to the main queue;
/// one that is not is evicted, and only its hash is remembered: if it comes again, it enters the main queue at once. A
/// scan passes through the small queue and leaves the main queue alone. A hit writes nothing but the entry's own mark,
/// so it needs no lock.
struct MemoryShard: ~Copyable {
    private enum Queue: Int {
        case small, main
    }

    /// 16 bytes: a shard has one for each entry.
    private struct Node {
        var entry: StoredResponse?
        var previous: Int32 = -1
        /// The next one, and the queue in the lowest bit.
        private var link: Int32 = -2

        init(_ entry: StoredResponse? = nil) { self.entry = entry }

        var next: Int32 {
            get { link >> 1 }
            set { link = newValue << 1 | link & 1 }
        }
        var queue: Queue {
            get { link & 1 == 0 ? .small : .main }
            set { link = link & ~1 | Int32(newValue.rawValue) }
        }
    }

    /// Index of a node, and a part of its key's hash, so that neither a search nor the growth of the table has to read
    /// other entries.
    private struct Slot {
        var node: Int32 = -1
        var tag: UInt32 = 0
    }

    private struct List {
        var head: Int32 = -1
        var tail: Int32 = -1
        var bytes = 0
    }

    private var slots: [Slot] = Array(repeating: Slot(), count: 16)
    private var nodes: [Node] = []
    private var freeNode: Int32 = -1
    /// By ``Queue``.
    private var lists = [List(), List()]
    /// Hashes of entries that left the small queue unused.
    private var ghosts: [UInt32] = Array(repeating: 0, count: 8)
    private(set) var count = 0
    private(set) var evictions = 0
    var bytesMax: Int

    /// Bytes of an entry in the shard: its node, and its share of the slots and the ghosts.
    static let placeBytes = 40

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    var bytes: Int { lists[0].bytes + lists[1].bytes }
    private var small: List { lists[Queue.small.rawValue] }
    private var main: List { lists[Queue.main.rawValue] }

    func find(_ key: CacheKey) -> StoredResponse? {
        let slot = self.slot(of: key)
        return slots[slot].node < 0 ? nil : nodes[Int(slots[slot].node)].entry
    }

    /// Inserts `entry`, replaces one with its key, and evicts others until it fits.
    mutating func insert(_ entry: StoredResponse) {
        if entry.charge > bytesMax { return remove(entry.key) }
        let slot = slot(of: entry.key)
        if slots[slot].node >= 0 {
            let index = slots[slot].node
            let old = nodes[Int(index)].entry
            old?.kill()
            let difference = entry.charge - (old?.charge ?? 0)
            lists[nodes[Int(index)].queue.rawValue].bytes += difference
            nodes[Int(index)].entry = entry
        } else {
            let index = takeNode(entry)
            slots[slot] = Slot(node: index, tag: tag(of: entry.key))
            count += 1
            let ghost = Int(truncatingIfNeeded: entry.key.high) & (ghosts.count - 1)
            let isKnown = ghosts[ghost] == UInt32(truncatingIfNeeded: entry.key.low) | 1
            if isKnown {
                ghosts[ghost] = 0
                push(index, .main)
            } else {
                push(index, .small)
            }
            if count * 8 > slots.count * 7 { grow() }
        }
        while bytes > bytesMax { evict() }
    }

    mutating func remove(_ key: CacheKey) {
        let slot = slot(of: key)
        if slots[slot].node >= 0 { discard(slots[slot].node) }
    }

    /// Looks at `most` places from `start` on, full or empty, or fewer once `mostRemoved` have been emptied.
    /// - Returns: where to go on; nil at the end.
    mutating func walk(
        from start: Int, most: Int, mostRemoved: Int, removing removes: (StoredResponse) -> Bool
    ) -> Int? {
        guard start < nodes.count else { return nil }
        let end = start + min(most, nodes.count - start)
        var removed = 0
        var index = start
        while index < end, removed < mostRemoved {
            if let entry = nodes[index].entry, removes(entry) {
                discard(Int32(index))
                removed += 1
            }
            index += 1
        }
        return index < nodes.count ? index : nil
    }

    // MARK: - S3-FIFO

    private mutating func evict() {
        if small.bytes * 10 >= bytesMax || main.head < 0 { evictSmall() } else { evictMain() }
    }

    private mutating func evictSmall() {
        while small.tail >= 0 {
            let index = small.tail
            guard let entry = nodes[Int(index)].entry else { return }
            if entry.useCount > 0 {
                unlink(index)
                push(index, .main)
                if small.bytes * 10 < bytesMax { return }
            } else {
                let ghost = Int(truncatingIfNeeded: entry.key.high) & (ghosts.count - 1)
                ghosts[ghost] = UInt32(truncatingIfNeeded: entry.key.low) | 1
                evictions += 1
                return discard(index)
            }
        }
        if main.tail >= 0 { evictMain() }
    }

    private mutating func evictMain() {
        while main.tail >= 0 {
            let index = main.tail
            guard let entry = nodes[Int(index)].entry else { return }
            if entry.useCount > 0 {
                entry.forgetUse()
                unlink(index)
                push(index, .main)
            } else {
                evictions += 1
                return discard(index)
            }
        }
    }

    // MARK: - Lists

    private mutating func takeNode(_ entry: StoredResponse) -> Int32 {
        if freeNode >= 0 {
            let index = freeNode
            freeNode = nodes[Int(index)].next
            nodes[Int(index)] = Node(entry)
            return index
        }
        // Grows by an eighth: doubling would leave up to half of the nodes unused.
        if nodes.count == nodes.capacity { nodes.reserveCapacity(nodes.count + max(16, nodes.count / 8)) }
        nodes.append(Node(entry))
        return Int32(nodes.count - 1)
    }

    private mutating func push(_ index: Int32, _ queue: Queue) {
        let list = queue.rawValue
        nodes[Int(index)].queue = queue
        nodes[Int(index)].previous = -1
        nodes[Int(index)].next = lists[list].head
        if lists[list].head >= 0 {
            nodes[Int(lists[list].head)].previous = index
        } else {
            lists[list].tail = index
        }
        lists[list].head = index
        lists[list].bytes += nodes[Int(index)].entry?.charge ?? 0
    }

    private mutating func unlink(_ index: Int32) {
        let node = nodes[Int(index)]
        let list = node.queue.rawValue
        if node.previous >= 0 { nodes[Int(node.previous)].next = node.next } else { lists[list].head = node.next }
        if node.next >= 0 { nodes[Int(node.next)].previous = node.previous } else { lists[list].tail = node.previous }
        lists[list].bytes -= node.entry?.charge ?? 0
    }

    private mutating func discard(_ index: Int32) {
        guard let entry = nodes[Int(index)].entry else { return }
        unlink(index)
        removeSlot(slot(of: entry.key))
        entry.kill()
        nodes[Int(index)] = Node()
        nodes[Int(index)].next = freeNode
        freeNode = index
        count -= 1
    }

    // MARK: - Index

    /// Slot of the key, or the one for inserting it.
    private func slot(of key: CacheKey) -> Int {
        let tag = tag(of: key)
        var slot = home(of: tag)
        while slots[slot].node >= 0 {
            if slots[slot].tag == tag, nodes[Int(slots[slot].node)].entry?.key == key { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func tag(of key: CacheKey) -> UInt32 { UInt32(truncatingIfNeeded: key.low) }

    private func home(of tag: UInt32) -> Int { Int(tag) & (slots.count - 1) }

    /// Closes the gap, so that no tombstone is needed.
    private mutating func removeSlot(_ removed: Int) {
        var hole = removed
        var slot = removed
        slots[hole] = Slot()
        while true {
            slot = (slot + 1) & (slots.count - 1)
            guard slots[slot].node >= 0 else { return }
            let distance = (slot - home(of: slots[slot].tag)) & (slots.count - 1)
            if distance >= (slot - hole) & (slots.count - 1) {
                slots[hole] = slots[slot]
                slots[slot] = Slot()
                hole = slot
            }
        }
    }

    /// The only step whose time grows with the number of entries: a shard has some ten thousand of the smallest at
    /// most, and none of them is read.
    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        ghosts = Array(repeating: 0, count: slots.count / 2)
        for place in old where place.node >= 0 {
            var slot = home(of: place.tag)
            while slots[slot].node >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = place
        }
    }
}
