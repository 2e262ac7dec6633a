import CSIMD
import Glibc

/// One open container of the part that is extracted.
typealias Frame = sluice_json_frame

extension Frame {
    init(table: Int32, predicted: Int32 = -1, isObject: Bool, offset: Int) {
        self.init()
        self.table = table
        self.predicted = predicted
        self.offset = offset
        member = -1
        slot = -1
        choice = -1
        is_object = isObject
    }

    var isObject: Bool { is_object }

    /// Keeps the text of an undeclared key for faults; `quoted` has its quotes.
    mutating func keep(_ quoted: BytePointer, _ count: Int) {
        key = quoted + 1
        key_count = Int32(JSONText.prefix(quoted + 1, count - 2, FrameStack.keyBytes))
    }
}

/// The open frames, with the bits of declared keys that have been seen.
struct FrameStack {
    /// How many bytes of an undeclared key are kept, and how many of them faults show.
    static let keyBytes = Int(SLUICE_JSON_KEY_BYTES)
    static let shownKeyBytes = Int(SLUICE_JSON_KEY_SHOWN_BYTES)

    private(set) var base: UnsafeMutablePointer<Frame>
    /// The kernel's walk pushes and pops too, within the capacity.
    var count = 0
    private(set) var capacity = 32
    private(set) var seen: UnsafeMutablePointer<UInt64>
    private var seenCount = 0
    private var seenCapacity = 64
    /// ``keyBytes`` for each frame: undeclared keys are needed after their chunk is gone.
    private var keys: UnsafeMutablePointer<UInt8>

    init() {
        base = reallocated(nil, capacity)
        seen = reallocated(nil, seenCapacity)
        keys = reallocated(nil, capacity * Self.keyBytes)
    }

    /// The innermost frame.
    var top: UnsafeMutablePointer<Frame> {
        @inline(__always) get { base + (count &- 1) }
    }

    @inline(__always)
    mutating func pushArray(_ table: Int32, offset: Int) {
        if count == capacity { grow() }
        (base + count).initialize(to: Frame(table: table, isObject: false, offset: offset))
        count &+= 1
    }

    @inline(__always)
    mutating func pushObject(_ table: Int32, seenWords: Int32, predicted: Int32, offset: Int) {
        if count == capacity { grow() }
        (base + count).initialize(to: Frame(table: table, predicted: predicted, isObject: true, offset: offset))
        count &+= 1
        if seenWords > 1 { pushSeen(Int(seenWords)) }
    }

    @inline(never)
    private mutating func pushSeen(_ words: Int) {
        if seenCount + words > seenCapacity {
            seenCapacity = max(seenCapacity * 2, seenCount + words)
            seen = reallocated(seen, seenCapacity)
        }
        top.pointee.seen_words = Int32(seenCount)
        (seen + seenCount).initialize(repeating: 0, count: words)
        seenCount += words
    }

    @inline(__always)
    mutating func popArray() {
        count &-= 1
    }

    @inline(__always)
    mutating func popObject(_ seenWords: Int32) {
        count &-= 1
        if seenWords > 1 { seenCount &-= Int(seenWords) }
    }

    /// Whether the object has had the declared key of this bit.
    /// - Parameter words: how many words the object's bits take.
    func isSeen(_ bit: Int32, _ frame: UnsafeMutablePointer<Frame>, _ words: Int32) -> Bool {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: bit & 63)
        return (words <= 1 ? frame.pointee.seen : seen[Int(frame.pointee.seen_words &+ bit &>> 6)]) & mask != 0
    }

    func markSeen(_ bit: Int32, _ frame: UnsafeMutablePointer<Frame>, _ words: Int32) {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: bit & 63)
        if words <= 1 {
            frame.pointee.seen |= mask
        } else {
            seen[Int(frame.pointee.seen_words &+ bit &>> 6)] |= mask
        }
    }

    /// Copies undeclared keys out of a chunk that is about to become invalid.
    mutating func keepKeys() {
        for index in 0..<count {
            let frame = base + index
            let kept = keys + index * Self.keyBytes
            guard let key = frame.pointee.key, key != UnsafePointer(kept) else { continue }
            kept.update(from: key, count: Int(frame.pointee.key_count))
            frame.pointee.key = UnsafePointer(kept)
        }
    }

    @inline(never)
    private mutating func grow() {
        let old = keys
        capacity *= 2
        base = reallocated(base, capacity)
        keys = reallocated(keys, capacity * Self.keyBytes)
        for index in 0..<count {
            guard let key = base[index].key, key == UnsafePointer(old + index * Self.keyBytes) else { continue }
            base[index].key = UnsafePointer(keys + index * Self.keyBytes)
        }
    }

    mutating func removeAll() {
        count = 0
        seenCount = 0
    }

    func deallocate() {
        free(base)
        free(seen)
        free(keys)
    }
}
