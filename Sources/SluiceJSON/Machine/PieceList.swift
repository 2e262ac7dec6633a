import Glibc
import CSIMD

/// The runs of bytes that came out of a chunk.
///
/// Short ones are copied and joined: each one costs its consumer more than its bytes.
struct PieceList {
    /// Joined bytes for which memory is kept from document to document.
    private static let keptBytes = 64 << 10

    private(set) var base: UnsafeMutablePointer<Extractor.Piece>?
    private(set) var count = 0
    private var capacity = 0
    private var joined: UnsafeMutablePointer<UInt8>?
    private var joinedCount = 0
    private var joinedCapacity = 0
    /// Memory of joined bytes that has no more room, until all pieces are removed.
    private var full: [UnsafeMutablePointer<UInt8>] = []

    /// Adds a run, or lengthens the last one where it goes on.
    mutating func append(_ slice: Int, _ bytes: BytePointer, _ added: Int) {
        if added == 0 { return }
        guard added > Int(SLUICE_JSON_COPIED) else {
            let room = room(for: added)
            room.start.update(from: bytes, count: added)
            return took(slice, upTo: room.start + added)
        }
        add(slice, UnsafeRawPointer(bytes), added)
    }

    /// Room for so many bytes behind those that are joined.
    @inline(__always)
    mutating func room(for added: Int) -> (start: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>) {
        if joinedCount + added > joinedCapacity { growJoined(added) }
        return (joined! + joinedCount, joined! + joinedCapacity)
    }

    /// A slice's bytes have been put into the room, up to `end`.
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

    /// Pieces point into the memory that is full: it stays where it is.
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

    /// From now on as much as has been joined has room in one.
    @inline(never)
    private mutating func makeOne() {
        for memory in full { free(memory) }
        full = []
        free(joined)
        joinedCapacity *= 2
        joined = reallocated(nil, joinedCapacity)
    }

    /// Lets go of memory beyond what is kept; there are no pieces.
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
