/// A stored response as bytes, for a tier that keeps it outside of the process.
///
/// A record begins with its version, its length and a checksum over all the rest, made with the secret of the keys. So
/// bytes that are truncated, damaged, of another version or written without the secret are not a record. A record
/// contains its own key, so that one in the wrong place is rejected, too.
///
/// Times are Unix seconds: the monotonic clock does not outlive the process.
public struct TierRecord {
    /// A dependency of the response and its value at the time: the meaning of `value` is the tier's.
    public struct Mark: Sendable, Equatable {
        public var slot: UInt32
        public var value: UInt64

        public init(slot: UInt32, value: UInt64) {
            self.slot = slot
            self.value = value
        }
    }

    public private(set) var key: CacheKey
    /// Unix seconds.
    public private(set) var receivedAt: Int
    /// Unix seconds; it is of no use after that.
    public private(set) var expiresAt: Int
    /// When the upstream made the response, as its age tells, Unix seconds.
    public var madeAt: Int { receivedAt - head.initialAge }
    public private(set) var marks: [Mark]
    public private(set) var label: EntryLabel
    let head: StoredHead
    let variance: StoredResponse.Variance?
    let lines: Range<Int>
    let body: Range<Int>

    /// `SLU` and the version of the format; another one is another format altogether.
    static let magic: UInt32 = 0x0155_4c53
    /// Magic, length, checksum.
    static let frontBytes = 24

    // MARK: - Writing

    /// - Parameter receivedAt: Unix seconds.
    public static func bytes(
        of entry: StoredResponse, receivedAt: Int, marks: [Mark], secret: (UInt64, UInt64)
    ) -> [UInt8] {
        var writer = RecordWriter(capacity: entry.charge + 256)
        writer.put(magic)
        for _ in 0..<5 { writer.put(UInt32(0)) }
        writer.put(entry.key.high)
        writer.put(entry.key.low)
        writer.put(Int64(receivedAt))
        writer.put(Int64(expiry(of: entry, receivedAt: receivedAt)))
        writer.put(UInt16(entry.status))
        writer.put(Int64(entry.initialAge))
        put(entry.freshness, &writer)
        put(entry.variance, &writer)
        writer.put(UInt32(marks.count))
        for mark in marks {
            writer.put(mark.slot)
            writer.put(mark.value)
        }
        let label = entry.label
        writer.put(UInt8(label.source == nil ? 0 : 1))
        writer.put(run: (label.source?.binding ?? "").utf8)
        writer.put(list: (label.source?.tags ?? []).map { Array($0.utf8) })
        writer.put(run: label.target)
        writer.put(run: entry.validatorETag ?? UnsafeRawBufferPointer(start: nil, count: 0))
        writer.put(run: entry.validatorLastModified ?? UnsafeRawBufferPointer(start: nil, count: 0))
        writer.put(run: entry.lines)
        writer.put(run: entry.body)
        var bytes = writer.bytes
        seal(&bytes, secret)
        return bytes
    }

    /// Fills in the length and the checksum.
    static func seal(_ bytes: inout [UInt8], _ secret: (UInt64, UInt64)) {
        bytes.withUnsafeMutableBytes { raw in
            raw.storeBytes(of: UInt32(raw.count).littleEndian, toByteOffset: 4, as: UInt32.self)
            let sum = checksum(UnsafeRawBufferPointer(raw), secret)
            raw.storeBytes(of: sum.0.littleEndian, toByteOffset: 8, as: UInt64.self)
            raw.storeBytes(of: sum.1.littleEndian, toByteOffset: 16, as: UInt64.self)
        }
    }

    private static func put(_ freshness: Freshness, _ writer: inout RecordWriter) {
        writer.put(Int64(freshness.lifetime))
        writer.put(Int64(freshness.staleWhileRevalidate))
        writer.put(Int64(freshness.staleIfError))
        writer.put(UInt8((freshness.mustRevalidate ? 1 : 0) | (freshness.noCache ? 2 : 0)))
        writer.put(run: freshness.source.rawValue.utf8)
    }

    private static func put(_ variance: StoredResponse.Variance?, _ writer: inout RecordWriter) {
        var flags: UInt8 = variance == nil ? 0 : 1
        var names: [[UInt8]] = []
        if let search = variance?.search {
            flags |= 2 | (search.ordered ? 4 : 0)
            switch search.parameters {
            case .allBut(let listed): names = listed
            case .only(let listed):
                names = listed
                flags |= 8
            }
        }
        writer.put(flags)
        writer.put(list: variance?.fields ?? [])
        writer.put(list: names)
    }

    /// How long a stale response may be of use: to be validated, or for a client that takes it.
    private static let staleSecondsMin = 86_400
    private static let secondsMax = 366 * 86_400
    /// A note of what selects among answers is written once for all of them.
    private static let varianceSeconds = 30 * 86_400

    /// Unix seconds.
    public static func expiry(of entry: StoredResponse, receivedAt: Int) -> Int {
        if entry.variance != nil { return receivedAt + varianceSeconds }
        let freshness = entry.freshness
        let fresh = max(0, freshness.lifetime - entry.initialAge)
        let stale = max(freshness.staleWhileRevalidate, freshness.staleIfError, staleSecondsMin)
        return receivedAt + min(secondsMax, min(fresh, secondsMax) + min(stale, secondsMax))
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer, _ secret: (UInt64, UInt64)) -> (UInt64, UInt64) {
        // Other keys than those of the cache keys, so that no key is a checksum.
        var hash = SipHash(secret.0 ^ 0x7265_636f_7264_2120, ~secret.1)
        hash.combine(UnsafeRawBufferPointer(rebasing: bytes[0..<8]))
        hash.combine(UnsafeRawBufferPointer(rebasing: bytes[frontBytes...]))
        return hash.finish()
    }

    // MARK: - Reading

    /// nil unless it is a whole, undamaged record of this version, and holds only what may be stored: without a
    /// password, any program that reaches a shared store can write a record with a right checksum.
    public init?(_ bytes: UnsafeRawBufferPointer, secret: (UInt64, UInt64)) {
        var front = RecordReader(bytes, from: 0)
        guard front.word() == Self.magic, front.word() == UInt32(exactly: bytes.count),
            let first = front.word(UInt64.self), let second = front.word(UInt64.self)
        else { return nil }
        guard Self.checksum(bytes, secret) == (first, second) else { return nil }
        var reader = RecordReader(bytes, from: Self.frontBytes)
        guard let high = reader.word(UInt64.self), let low = reader.word(UInt64.self),
            let receivedAt = reader.word(Int64.self), let expiresAt = reader.word(Int64.self),
            let status = reader.word(UInt16.self), let initialAge = reader.word(Int64.self),
            let freshness = Self.freshness(&reader), let variance = Self.variance(&reader),
            let marks = Self.marks(&reader), let label = Self.label(&reader), let etag = reader.run(),
            let lastModified = reader.run(), let lines = reader.range(), let body = reader.range(), reader.isAtEnd,
            Self.isTime(receivedAt), Self.isTime(expiresAt), Self.isSpan(initialAge),
            Self.isStored(status, variance), StoredHead.areSound(UnsafeRawBufferPointer(rebasing: bytes[lines])),
            etag.withUnsafeBytes(StoredHead.isValue), lastModified.withUnsafeBytes(StoredHead.isValue)
        else { return nil }
        key = CacheKey(high: high, low: low)
        self.receivedAt = Int(receivedAt)
        self.expiresAt = Int(expiresAt)
        self.variance = variance
        self.marks = marks
        self.label = label
        self.lines = lines
        self.body = body
        var head = StoredHead(
            status: Int(status), freshness: freshness, initialAge: Int(initialAge), responseTime: 0)
        if !etag.isEmpty { head.validatorETag = etag }
        if !lastModified.isEmpty { head.validatorLastModified = lastModified }
        self.head = head
    }

    /// Whether it is a possible time, in seconds: any program may write anything into a shared store.
    private static func isTime(_ seconds: Int64) -> Bool { (0...1 << 40).contains(seconds) }

    /// Whether an entry can hold the number of seconds: a truncated one would not match its freshness.
    private static func isSpan(_ seconds: Int64) -> Bool { (0...Int64(UInt32.max)).contains(seconds) }

    /// Whether an answer with this status is ever stored (RFC 9111 §3): a final one, of the whole. A note has none, and
    /// names what selects among answers.
    private static func isStored(_ status: UInt16, _ note: StoredResponse.Variance?) -> Bool {
        if let note, note.fields.isEmpty, note.search == nil { return false }
        if note != nil, status == 0 { return true }
        return (200...599).contains(status) && status != 206 && status != 304
    }

    private static func freshness(_ reader: inout RecordReader) -> Freshness? {
        guard let lifetime = reader.word(Int64.self), let revalidate = reader.word(Int64.self),
            let onError = reader.word(Int64.self), let flags = reader.word(UInt8.self), let name = reader.run(),
            let source = Freshness.Source(rawValue: String(decoding: name, as: UTF8.self)),
            isSpan(lifetime), isSpan(revalidate), isSpan(onError)
        else { return nil }
        return Freshness(
            lifetime: Int(lifetime), source: source, staleWhileRevalidate: Int(revalidate),
            staleIfError: Int(onError), mustRevalidate: flags & 1 != 0, noCache: flags & 2 != 0)
    }

    private static func variance(_ reader: inout RecordReader) -> StoredResponse.Variance?? {
        guard let flags = reader.word(UInt8.self), let fields = reader.list(), let names = reader.list() else {
            return nil
        }
        if flags & 1 == 0 { return .some(nil) }
        var search: NoVarySearch?
        if flags & 2 != 0 {
            search = NoVarySearch(
                parameters: flags & 8 != 0 ? .only(names) : .allBut(names), ordered: flags & 4 != 0)
        }
        return .some(StoredResponse.Variance(fields: fields, search: search))
    }

    private static func marks(_ reader: inout RecordReader) -> [Mark]? {
        reader.list { reader in
            guard let slot = reader.word(UInt32.self), let value = reader.word(UInt64.self) else { return nil }
            return Mark(slot: slot, value: value)
        }
    }

    private static func label(_ reader: inout RecordReader) -> EntryLabel? {
        guard let isThere = reader.word(UInt8.self), let binding = reader.run(), let tags = reader.list(),
            let target = reader.run()
        else { return nil }
        let source = EntryLabel.Source(
            binding: String(decoding: binding, as: UTF8.self), tags: tags.map { String(decoding: $0, as: UTF8.self) })
        return EntryLabel(isThere == 1 ? source : nil, target: target)
    }

    // MARK: - Back into memory

    /// The clock differs between gateways by less than this, seconds; more is a clock that was set back.
    private static let skewSecondsMax = 1

    /// The response with the times of this process.
    ///
    /// A record from the future means that the clock was set back: its age is unknown, and it is stale.
    /// - Parameters:
    ///   - bytes: those that the record was read from.
    ///   - isStale: it has been marked as stale.
    public func response(
        _ bytes: UnsafeRawBufferPointer, _ query: TierQuery, dependencies: [Epochs.Dependency], isStale: Bool = false
    ) -> StoredResponse {
        var head = head
        let elapsed = query.unixSeconds - receivedAt
        head.initialAge += max(0, elapsed)
        if isStale || elapsed < -Self.skewSecondsMax {
            head.initialAge = max(head.initialAge, head.freshness.lifetime)
        }
        head.responseTime = query.now
        head.dependencies = dependencies
        head.lines = Array(bytes[lines])
        head.label = label
        if let own = query.source, let source = label.source, own.binding == source.binding, own.tags == source.tags {
            head.label.source = own
        }
        return StoredResponse.make(head, key: key, bodyCount: body.count, variance: variance) { put in
            put(UnsafeRawBufferPointer(rebasing: bytes[body]))
        }
    }
}
