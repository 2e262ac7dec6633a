internal import SluiceHTTP
internal import Synchronization

/// The head of a ``StoredResponse`` in memory, before its bytes: as small as possible, because a million are kept.
///
/// Lengths of runs that are rarely read stand before the runs themselves.
struct StoredFront: ~Copyable {
    let key: CacheKey
    /// Nanoseconds of the monotonic clock.
    let responseTime: UInt64
    /// The same; until when it may be answered without a thought.
    let freshEnd: Atomic<UInt64>
    let kind: Kind
    let bodyCount: UInt32
    let linesCount: UInt32
    /// Bytes in all, the lines first.
    let count: UInt32
    /// Seconds, all of them.
    let lifetime: UInt32
    let staleWhileRevalidate: UInt32
    let staleIfError: UInt32
    let initialAge: UInt32
    /// Seconds: its age when a purge made it stale; ``notSoftened`` until then.
    let softAge = Atomic<UInt32>(Self.notSoftened)
    /// The counter of its resource (``Epochs``), and what it was.
    let epoch: UInt32
    let slot: UInt16
    let groupCount: UInt16
    let status: UInt16
    let source: Freshness.Source
    let flags: Flags
    let hits = Atomic<UInt8>(0)
    let dead = Atomic<Bool>(false)

    static let notSoftened = UInt32.max
    /// The response depends on no resource.
    static let noSlot = UInt16.max

    /// Whether it is an answer, or a note of what selects among answers.
    enum Kind {
        case answer(EntryLabel.Source?)
        case note(Note)
    }

    final class Note: Sendable {
        let variance: StoredResponse.Variance

        init(_ variance: StoredResponse.Variance) { self.variance = variance }
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let mustRevalidate = Flags(rawValue: 1)
        static let noCache = Flags(rawValue: 2)
        /// The upstream's validators: they stand among the lines, or behind the body.
        static let etagInLines = Flags(rawValue: 4)
        static let ownETag = Flags(rawValue: 8)
        static let lastModifiedInLines = Flags(rawValue: 16)
        static let ownLastModified = Flags(rawValue: 32)
    }

    static let groupsMax = Int(UInt16.max)

    /// - Parameter count: bytes of lines, body and what is behind it.
    init(
        _ head: StoredHead, _ flags: Flags, key: CacheKey, bodyCount: Int, count: Int,
        variance: StoredResponse.Variance?
    ) {
        let freshness = head.freshness
        self.key = key
        responseTime = head.responseTime
        let left = freshness.lifetime - head.initialAge
        freshEnd = Atomic(
            left > 0 && !freshness.noCache
                ? head.responseTime &+ UInt64(min(left, 1 << 32)) &* 1_000_000_000 : 0)
        kind = variance.map { .note(Note($0)) } ?? .answer(head.label.source)
        self.bodyCount = UInt32(bodyCount)
        linesCount = UInt32(head.lines.count)
        self.count = UInt32(count)
        lifetime = UInt32(clamping: freshness.lifetime)
        staleWhileRevalidate = UInt32(clamping: freshness.staleWhileRevalidate)
        staleIfError = UInt32(clamping: freshness.staleIfError)
        initialAge = UInt32(clamping: head.initialAge)
        let resource = head.dependencies.first
        epoch = resource?.epoch ?? 0
        slot = resource.map { UInt16($0.slot) } ?? Self.noSlot
        groupCount = UInt16(min(Self.groupsMax, max(0, head.dependencies.count - 1)))
        status = UInt16(head.status)
        source = freshness.source
        self.flags = flags
    }
}

extension StoredFront.Flags {
    init(_ head: StoredHead) {
        self = []
        if head.freshness.mustRevalidate { insert(.mustRevalidate) }
        if head.freshness.noCache { insert(.noCache) }
        head.lines.withUnsafeBytes { lines in
            func isThere(_ id: FieldID, _ value: [UInt8]) -> Bool {
                StoredHead.value(of: id, in: lines)?.elementsEqual(value) ?? false
            }
            if let etag = head.validatorETag, !etag.isEmpty { insert(isThere(.etag, etag) ? .etagInLines : .ownETag) }
            if let modified = head.validatorLastModified {
                insert(isThere(.lastModified, modified) ? .lastModifiedInLines : .ownLastModified)
            }
        }
    }
}
