import Glibc
import CSIMD

/// The runs of bytes extracted from a chunk.
///
/// Short runs are copied and joined: a run costs its consumer more than copying a few bytes does.
struct PieceList {
    /// How much memory for joined bytes is kept from document to document.
    private static let keptBytes = 64 << 10

    private(set) var base: UnsafeMutablePointer<Extractor.Piece>?
    private(set) var count = 0
    private var capacity = 0
    private var joined: UnsafeMutablePointer<UInt8>?
    private var joinedCount = 0
    private var joinedCapacity = 0
    /// Full buffers of joined bytes, kept until all pieces are removed.
    private var full: [UnsafeMutablePointer<UInt8>] = []

    /// Adds a run, or lengthens the last one if the bytes follow it directly.
    mutating func append(_ slice: Int, _ bytes: BytePointer, _ added: Int) {
        if added == 0 { return }
        guard added > Int(SLUICE_JSON_COPIED) else {
            let room = room(for: added)
            room.start.update(from: bytes, count: added)
            return took(slice, upTo: room.start + added)
        }
        add(slice, UnsafeRawPointer(bytes), added)
    }

    /// Room for `added` bytes behind those that are joined.
    @inline(__always)
    mutating func room(for added: Int) -> (start: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>) {
        if joinedCount + added > joinedCapacity { growJoined(added) }
        return (joined! + joinedCount, joined! + joinedCapacity)
    }

    /// Adds the bytes that were written into the room, up to `end`, to the slice.
    @inline(__always)
    mutating func took(_ slice: Int, upTo end: UnsafeMutablePointer<UInt8>) {
        let start = joined! + joinedCount
        if end == start { return }
        joinedCount += end - start
        add(slice, UnsafeRawPointer(start), end - start)
    }

    private mutating func add(_ slice: Int, _ start: UnsafeRawPointer, _ added: Int) {
        if count > 0, base![count - 1].slice == slice, base![count - 1].base + base![count - 1].count == start {
            base![count - 1].count += added
            return
        }
        if count == capacity {
            capacity = max(16, capacity * 2)
            base = reallocated(base, capacity)
        }
        (base! + count).initialize(to: Extractor.Piece(slice: slice, base: start, count: added))
        count += 1
    }

    /// Begins a new buffer; the full one is kept, because pieces point into it.
    @inline(never)
    private mutating func growJoined(_ added: Int) {
        if let joined { full.append(joined) }
        joinedCapacity = max(4096, joinedCapacity * 2, added)
        joined = reallocated(nil, joinedCapacity)
        joinedCount = 0
    }

    mutating func removeAll() {
        count = 0
        joinedCount = 0
        if !full.isEmpty { makeOne() }
    }

    /// Replaces the buffers by a single one that is twice as large as the last.
    @inline(never)
    private mutating func makeOne() {
        for memory in full { free(memory) }
        full = []
        free(joined)
        joinedCapacity *= 2
        joined = reallocated(nil, joinedCapacity)
    }

    /// Frees the joined bytes' memory if it is larger than what is kept and there are no pieces.
    mutating func trim() {
        guard count == 0, joinedCapacity > Self.keptBytes else { return }
        free(joined)
        joined = nil
        joinedCapacity = 0
    }

    func deallocate() {
        free(base)
        free(joined)
        for memory in full { free(memory) }
    }
}
