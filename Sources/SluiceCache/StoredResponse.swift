internal import SluiceHTTP
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A stored response: immutable but for two marks, shared by the loops, in one piece of memory: status line, fields,
/// `Content-Length`, body, validators.
public final class StoredResponse: Sendable {
    public let key: CacheKey
    public let status: Int
    public let freshness: Freshness
    /// Nanoseconds of the monotonic clock.
    public let responseTime: UInt64
    /// Until when it may be answered without a thought; 0 where a thought is always needed.
    public let freshUntil: UInt64
    public let initialAge: Int
    /// Which requests it answers is found by these fields of theirs; such an entry has nothing else.
    public let variance: Variance?

    // Written once in init, freed in deinit: that is why Sendable holds.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    private let statusLineCount: UInt32
    private let headCount: UInt32
    private let lineCount: UInt32
    private let etagCount: UInt32
    private let lastModifiedCount: UInt32
    private let targetCount: UInt32
    public let bodyCount: Int
    private let resource: Epochs.Dependency?
    private let groups: [Epochs.Dependency]
    private let source: EntryLabel.Source?
    private let hits = Atomic<UInt8>(0)
    private let dead = Atomic<Bool>(false)

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

    /// - Parameter body: runs of bytes, `bodyCount` in all.
    public init(
        _ head: StoredHead, key: CacheKey, bodyCount: Int, variance: Variance? = nil,
        body: ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        self.key = key
        self.variance = variance
        self.bodyCount = bodyCount
        status = head.status
        freshness = head.freshness
        responseTime = head.responseTime
        initialAge = head.initialAge
        let left = head.freshness.lifetime - head.initialAge
        freshUntil =
            left > 0 && !head.freshness.noCache
            ? head.responseTime &+ UInt64(min(left, 1 << 32)) &* 1_000_000_000 : 0
        resource = head.dependencies.first
        groups = Array(head.dependencies.dropFirst())
        source = head.label.source
        targetCount = UInt32(head.label.target.count)
        var front = Array("HTTP/1.1 \(head.status) \(StatusReason.phrase(for: head.status))\r\n".utf8)
        statusLineCount = UInt32(front.count)
        front += head.lines
        lineCount = UInt32(head.lines.count)
        if head.status != 204 { front += "Content-Length: \(bodyCount)\r\n".utf8 }
        headCount = UInt32(front.count)
        let etag = head.validatorETag ?? []
        let modified = head.validatorLastModified ?? []
        etagCount = UInt32(etag.count)
        lastModifiedCount = UInt32(modified.count)
        let allocated = malloc(max(1, front.count + bodyCount + etag.count + modified.count + head.label.target.count))
        precondition(allocated != nil, "out of memory")
        let memory = allocated!
        self.memory = memory
        var offset = 0
        func put(_ run: UnsafeRawBufferPointer) {
            guard let base = run.baseAddress else { return }
            (memory + offset).copyMemory(from: base, byteCount: run.count)
            offset += run.count
        }
        front.withUnsafeBytes(put)
        body { run in
            precondition(offset + run.count <= front.count + bodyCount, "more body than announced")
            put(run)
        }
        precondition(offset == front.count + bodyCount, "less body than announced")
        etag.withUnsafeBytes(put)
        modified.withUnsafeBytes(put)
        head.label.target.withUnsafeBytes(put)
    }

    deinit { free(memory) }

    /// Status line, fields and `Content-Length`, as HTTP/1.1 writes them.
    public var head: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: Int(headCount)) }
    /// The field lines alone, without `Content-Length`.
    public var lines: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + Int(statusLineCount), count: Int(lineCount))
    }
    /// Stays where it is as long as the object lives.
    public var body: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + Int(headCount), count: bodyCount)
    }
    /// The upstream's validators.
    public var validatorETag: UnsafeRawBufferPointer? {
        etagCount == 0
            ? nil : UnsafeRawBufferPointer(start: memory + Int(headCount) + bodyCount, count: Int(etagCount))
    }
    public var validatorLastModified: UnsafeRawBufferPointer? {
        guard lastModifiedCount > 0 else { return nil }
        let offset = Int(headCount) + bodyCount + Int(etagCount)
        return UnsafeRawBufferPointer(start: memory + offset, count: Int(lastModifiedCount))
    }
    public var hasValidator: Bool { etagCount > 0 || lastModifiedCount > 0 }
    public var label: EntryLabel {
        let offset = Int(headCount) + bodyCount + Int(etagCount) + Int(lastModifiedCount)
        return EntryLabel(
            source, target: Array(UnsafeRawBufferPointer(start: memory + offset, count: Int(targetCount))))
    }

    /// Bytes that the store counts for it.
    public var charge: Int {
        Int(headCount) + bodyCount + Int(etagCount) + Int(lastModifiedCount) + Int(targetCount) + Self.overheadBytes
    }

    /// The object, its place in the index and what the allocator adds.
    static let overheadBytes = 240

    /// Seconds (RFC 9111 §4.2.3).
    public func age(_ now: UInt64) -> Int {
        initialAge + Int((now &- min(responseTime, now)) / 1_000_000_000)
    }

    public func time(_ now: UInt64) -> Reuse.Stored {
        Reuse.Stored(age: age(now), freshness: freshness)
    }

    // MARK: - Marks

    /// Evicted, replaced or invalidated.
    public var isDead: Bool { dead.load(ordering: .relaxed) }

    func kill() { dead.store(true, ordering: .relaxed) }

    /// Whether nothing that it depends on has changed since its request began.
    public func isCurrent(_ epochs: Epochs) -> Bool {
        if isDead { return false }
        if let resource, !epochs.isCurrent(resource) { return false }
        return groups.isEmpty || groups.allSatisfy { epochs.isCurrent($0) }
    }

    /// What its request saw (``StoredHead/dependencies``).
    public var dependencies: [Epochs.Dependency] { (resource.map { [$0] } ?? []) + groups }

    /// Counts a use, up to three: more is not told apart, and then nothing is written.
    @inline(__always)
    public func used() {
        let seen = hits.load(ordering: .relaxed)
        if seen < 3 { hits.store(seen + 1, ordering: .relaxed) }
    }

    var useCount: UInt8 { hits.load(ordering: .relaxed) }

    func forgetUse() {
        let seen = hits.load(ordering: .relaxed)
        if seen > 0 { hits.store(seen - 1, ordering: .relaxed) }
    }
}
