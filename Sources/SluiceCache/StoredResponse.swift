internal import SluiceHTTP
internal import Synchronization

/// A stored response: immutable but for a few marks, shared by the loops, in one piece of memory, the object and its
/// bytes: fields, body, and behind it what is rarely read.
public final class StoredResponse: @unchecked Sendable {
    // No members are declared: `make` allocates room for a front and the bytes. It is Sendable because these are
    // written once, there, and the marks are atomic.

    private init() { preconditionFailure("a stored response is made") }

    deinit { front.deinitialize(count: 1) }

    /// What selects among the responses of one target.
    public struct Variance: Sendable, Equatable {
        /// Names out of `Vary`, in lower case, sorted.
        public var fields: [[UInt8]]
        public var search: NoVarySearch?

        public init(fields: [[UInt8]], search: NoVarySearch? = nil) {
            self.fields = fields
            self.search = search
        }
    }

    /// - Parameters:
    ///   - bodyCount: bytes, less than 4 GiB.
    ///   - variance: for a note of what selects among answers; such an entry has nothing else.
    ///   - body: runs of bytes, `bodyCount` in all.
    public static func make(
        _ head: StoredHead, key: CacheKey, bodyCount: Int, variance: Variance? = nil,
        body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) -> StoredResponse {
        let lines = head.lines
        let flags = StoredFront.Flags(head)
        var tail = Tail()
        for group in head.dependencies.dropFirst().prefix(StoredFront.groupsMax) { tail.put(group) }
        if flags.contains(.ownETag) { tail.put(head.validatorETag ?? []) }
        if flags.contains(.ownLastModified) { tail.put(head.validatorLastModified ?? []) }
        tail.bytes += head.label.target
        let count = lines.count + bodyCount + tail.bytes.count
        let front = StoredFront(head, flags, key: key, bodyCount: bodyCount, count: count, variance: variance)
        let buffer = ManagedBufferPointer<Void, UInt8>(
            bufferClass: Self.self, minimumCapacity: MemoryLayout<StoredFront>.size + count
        ) { _, _ in }
        let response = unsafeDowncast(buffer.buffer, to: Self.self)
        response.front.initialize(to: front)
        let memory = response.bytes
        var offset = 0
        func put(_ run: UnsafeRawBufferPointer) {
            guard let base = run.baseAddress else { return }
            (memory + offset).copyMemory(from: base, byteCount: run.count)
            offset += run.count
        }
        lines.withUnsafeBytes(put)
        body { run in
            precondition(offset + run.count <= lines.count + bodyCount, "more body than announced")
            put(run)
        }
        precondition(offset == lines.count + bodyCount, "less body than announced")
        tail.bytes.withUnsafeBytes(put)
        return response
    }

    /// The front follows the runtime's header of the object.
    @inline(__always)
    private var front: UnsafeMutablePointer<StoredFront> {
        (Unmanaged.passUnretained(self).toOpaque() + Self.objectBytes).assumingMemoryBound(to: StoredFront.self)
    }
    @inline(__always)
    private var bytes: UnsafeMutableRawPointer { UnsafeMutableRawPointer(front) + MemoryLayout<StoredFront>.size }

    private static var objectBytes: Int { 16 }

    public var key: CacheKey { front.pointee.key }
    public var status: Int { Int(front.pointee.status) }
    /// Nanoseconds of the monotonic clock.
    public var responseTime: UInt64 { front.pointee.responseTime }
    /// Seconds.
    public var initialAge: Int { Int(front.pointee.initialAge) }
    /// Seconds.
    public var lifetime: Int { Int(front.pointee.lifetime) }
    public var bodyCount: Int { Int(front.pointee.bodyCount) }

    public var freshness: Freshness {
        Freshness(
            lifetime: lifetime, source: front.pointee.source,
            staleWhileRevalidate: Int(front.pointee.staleWhileRevalidate),
            staleIfError: Int(front.pointee.staleIfError),
            mustRevalidate: front.pointee.flags.contains(.mustRevalidate),
            noCache: front.pointee.flags.contains(.noCache))
    }

    /// The request fields that select among answers; an entry with these has nothing else.
    public var variance: Variance? {
        switch front.pointee.kind {
        case .answer: nil
        case .note(let note): note.variance
        }
    }

    /// Whether the entry is an answer, and not a note of what selects among answers.
    public var isAnswer: Bool {
        switch front.pointee.kind {
        case .answer: true
        case .note: false
        }
    }

    /// The field lines, without `Content-Length`.
    public var lines: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: Int(front.pointee.linesCount))
    }
    /// The pointer is valid as long as the object lives.
    public var body: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + Int(front.pointee.linesCount), count: bodyCount)
    }

    /// Bytes that the store counts for it: what the allocator adds and its place in the index among them.
    public var charge: Int {
        let bytes = Self.objectBytes + MemoryLayout<StoredFront>.size + Int(front.pointee.count)
        return (bytes + 8 + 15) & ~15 + MemoryShard.placeBytes
    }

    /// Seconds (RFC 9111 §4.2.3).
    public func age(_ now: UInt64) -> Int { StoredHead.age(initialAge, since: responseTime, now) }

    /// Time at which the upstream made the response, computed from its age, in nanoseconds of the monotonic clock: the
    /// same wherever it has been stored since.
    var madeAt: Int64 { Int64(clamping: responseTime) - Int64(initialAge) * 1_000_000_000 }

    /// Ages are whole seconds: less than two make no difference.
    func isNewer(than other: StoredResponse) -> Bool { madeAt - other.madeAt >= 2_000_000_000 }

    public func time(_ now: UInt64) -> Reuse.Stored {
        var time = Reuse.Stored(age: age(now), freshness: freshness)
        if isSoftened {
            time.freshness.lifetime = min(lifetime, Int(front.pointee.softAge.load(ordering: .relaxed)))
        }
        return time
    }

    // MARK: - Marks

    /// Until when it may be served without further checks; 0 where checks are always needed.
    @inline(__always)
    public var freshUntil: UInt64 { front.pointee.freshEnd.load(ordering: .relaxed) }

    /// Whether a purge has made it stale.
    public var isSoftened: Bool { front.pointee.softAge.load(ordering: .relaxed) != StoredFront.notSoftened }

    /// Ends the lifetime at `now`, nanoseconds of the monotonic clock, unless it has ended before.
    func soften(at now: UInt64) {
        if isSoftened { return }
        let age = UInt32(clamping: min(age(now), Int(StoredFront.notSoftened) - 1))
        front.pointee.softAge.store(age, ordering: .relaxed)
        front.pointee.freshEnd.store(0, ordering: .relaxed)
    }

    /// Evicted, replaced or invalidated.
    public var isDead: Bool { front.pointee.dead.load(ordering: .relaxed) }

    func kill() { front.pointee.dead.store(true, ordering: .relaxed) }

    /// Whether none of its dependencies has changed since its request began.
    public func isCurrent(_ epochs: Epochs) -> Bool {
        if isDead { return false }
        if let resource, !epochs.isCurrent(resource) { return false }
        for index in 0..<Int(front.pointee.groupCount) where !epochs.isCurrent(group(index)) { return false }
        return true
    }

    /// Counts a use, up to three: beyond that, nothing is written.
    @inline(__always)
    public func used() {
        let seen = useCount
        if seen < 3 { front.pointee.hits.store(seen + 1, ordering: .relaxed) }
    }

    /// Uses of late: three are three or more.
    @inline(__always)
    public var useCount: UInt8 { front.pointee.hits.load(ordering: .relaxed) }

    func forgetUse() {
        let seen = useCount
        if seen > 0 { front.pointee.hits.store(seen - 1, ordering: .relaxed) }
    }

    // MARK: - Behind the body

    /// Dependencies but the first; validators that are not among the lines, each with its length before it; the target.
    private struct Tail {
        var bytes: [UInt8] = []

        mutating func put(_ group: Epochs.Dependency) {
            put(group.slot)
            put(group.epoch)
        }

        mutating func put(_ run: [UInt8]) {
            put(UInt32(run.count))
            bytes += run
        }

        private mutating func put(_ word: UInt32) {
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
    }

    private static let groupBytes = 8

    private var resource: Epochs.Dependency? {
        let slot = front.pointee.slot
        return slot == StoredFront.noSlot ? nil : .init(slot: UInt32(slot), epoch: front.pointee.epoch)
    }

    private func group(_ index: Int) -> Epochs.Dependency {
        let place = UnsafeRawPointer(bytes) + lines.count + bodyCount + index * Self.groupBytes
        return .init(
            slot: place.loadUnaligned(as: UInt32.self), epoch: place.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }

    /// Start of a run behind the dependencies, by its number.
    private func run(_ number: Int) -> UnsafeRawPointer {
        var place = UnsafeRawPointer(bytes) + lines.count + bodyCount + Int(front.pointee.groupCount) * Self.groupBytes
        for _ in 0..<number { place += 4 + Int(place.loadUnaligned(as: UInt32.self)) }
        return place
    }

    private func validator(_ number: Int) -> UnsafeRawBufferPointer {
        let place = run(number)
        return UnsafeRawBufferPointer(start: place + 4, count: Int(place.loadUnaligned(as: UInt32.self)))
    }

    private var ownValidators: Int {
        (front.pointee.flags.contains(.ownETag) ? 1 : 0) + (front.pointee.flags.contains(.ownLastModified) ? 1 : 0)
    }

    /// The upstream's validators.
    public var validatorETag: UnsafeRawBufferPointer? {
        let flags = front.pointee.flags
        if flags.contains(.etagInLines) { return StoredHead.value(of: .etag, in: lines) }
        return flags.contains(.ownETag) ? validator(0) : nil
    }
    public var validatorLastModified: UnsafeRawBufferPointer? {
        let flags = front.pointee.flags
        if flags.contains(.lastModifiedInLines) { return StoredHead.value(of: .lastModified, in: lines) }
        return flags.contains(.ownLastModified) ? validator(flags.contains(.ownETag) ? 1 : 0) : nil
    }
    public var hasValidator: Bool {
        !front.pointee.flags.isDisjoint(with: [.etagInLines, .ownETag, .lastModifiedInLines, .ownLastModified])
    }
    /// The counters that it depends on: its resource's first.
    public var dependencies: [Epochs.Dependency] {
        (resource.map { [$0] } ?? []) + (0..<Int(front.pointee.groupCount)).map { group($0) }
    }
    var source: EntryLabel.Source? {
        switch front.pointee.kind {
        case .answer(let source): source
        case .note: nil
        }
    }
    public var label: EntryLabel { EntryLabel(source, target: Array(target), groups: groupNames) }
    /// Of the label: the local target that it was stored for.
    public var target: UnsafeRawBufferPointer {
        let start = run(ownValidators)
        return UnsafeRawBufferPointer(start: start, count: Int(front.pointee.count) - (start - UnsafeRawPointer(bytes)))
    }
    /// Of the label: `Cache-Groups` (RFC 9875), read where there are any.
    public var groupNames: [[UInt8]] {
        if front.pointee.groupCount == 0 { return [] }
        var fields = HeaderBlock()
        StoredHead.read(lines, into: &fields)
        return CacheGroups.members(fields)
    }
}
