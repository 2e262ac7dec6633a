import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

/// Records outlive the process: what is not whole, undamaged and ours is no record.
@Suite struct TierRecordTests {
    static let secret: (UInt64, UInt64) = (11, 12)
    static let source = EntryLabel.Source(binding: "GET /fruits", tags: ["a", "b"])
    static let query = TierQuery([], now: 5_000_000_000, unixSeconds: 1_000_010, source: source)

    static func entry(
        status: Int = 200, variance: StoredResponse.Variance? = nil, body: [UInt8] = Array("apple".utf8),
        lifetime: String = "max-age=60, stale-if-error=7", validators: Bool = true, label: Bool = true
    ) -> StoredResponse {
        let facts = DecisionTests.facts(status, ["Cache-Control: \(lifetime)"])
        var head = StoredHead(
            status: status, freshness: Freshness(facts, CachePolicy()), initialAge: 3, responseTime: 1_000_000_000)
        head.append(.etag, Array("\"slice\"".utf8))
        head.append(.contentType, Array("text/plain".utf8))
        if validators {
            head.validatorETag = Array("\"upstream\"".utf8)
            head.validatorLastModified = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        }
        head.dependencies = [.init(slot: 7, epoch: 1), .init(slot: 8, epoch: 2)]
        if label { head.label = EntryLabel(source, target: Array("/fruits?a=1".utf8)) }
        return StoredResponse.make(head, key: CacheKey(high: 1, low: 2), bodyCount: body.count, variance: variance) {
            put in
            body.withUnsafeBytes(put)
        }
    }

    static func bytes(_ entry: StoredResponse, receivedAt: Int = 1_000_000) -> [UInt8] {
        TierRecord.bytes(
            of: entry, receivedAt: receivedAt, marks: [.init(slot: 7, value: 1), .init(slot: 8, value: 2)],
            secret: secret)
    }

    private static func isRecord(_ bytes: [UInt8], secret: (UInt64, UInt64) = secret) -> Bool {
        bytes.withUnsafeBytes { TierRecord($0, secret: secret) != nil }
    }

    static let search = NoVarySearch(parameters: .only([Array("a".utf8)]), ordered: false)

    @Test(arguments: [
        entry(), entry(status: 404, body: []), entry(lifetime: "no-cache"), entry(validators: false, label: false),
        entry(lifetime: "max-age=1, must-revalidate, stale-while-revalidate=9"),
        entry(body: Array(repeating: 0xff, count: 100_000)),
        entry(variance: .init(fields: [Array("accept".utf8)], search: nil), body: []),
        entry(variance: .init(fields: [], search: search), body: []),
        entry(
            variance: .init(
                fields: [], search: NoVarySearch(parameters: .allBut([[0x61], [0x62]]), ordered: true)), body: []),
    ])
    func comesBackAsItWas(_ entry: StoredResponse) throws {
        let bytes = Self.bytes(entry)
        let read = try bytes.withUnsafeBytes { raw in
            let record = try #require(TierRecord(raw, secret: Self.secret))
            #expect(record.key == entry.key)
            #expect(record.receivedAt == 1_000_000)
            #expect(record.marks == [.init(slot: 7, value: 1), .init(slot: 8, value: 2)])
            return record.response(raw, Self.query, dependencies: entry.dependencies)
        }
        #expect(read.status == entry.status)
        #expect(Array(read.lines) == Array(entry.lines))
        #expect(Array(read.body) == Array(entry.body))
        #expect(read.freshness == entry.freshness)
        #expect(read.variance == entry.variance)
        #expect(read.validatorETag.map { Array($0) } == entry.validatorETag.map { Array($0) })
        #expect(read.validatorLastModified.map { Array($0) } == entry.validatorLastModified.map { Array($0) })
        #expect(read.dependencies == entry.dependencies)
        #expect(read.label.target == entry.label.target)
        // The same object where it says the same.
        #expect(read.label.source === entry.label.source)
        // RFC 9111 §4.2.3: resident time counts.
        #expect(read.age(Self.query.now) == 13)
    }

    @Test func isNothingWhenCut() {
        let bytes = Self.bytes(Self.entry())
        for count in bytes.indices { #expect(!Self.isRecord(Array(bytes[..<count])), "cut at \(count)") }
        #expect(!Self.isRecord(bytes + [0]))
    }

    @Test func isNothingWithAnyBitTurned() {
        let bytes = Self.bytes(Self.entry())
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(!Self.isRecord(damaged), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func isNothingToWhoHasAnotherSecret() {
        let bytes = Self.bytes(Self.entry())
        #expect(Self.isRecord(bytes))
        #expect(!Self.isRecord(bytes, secret: (11, 13)))
        #expect(!Self.isRecord([]))
        #expect(!Self.isRecord(Array(repeating: 0, count: 1000)))
    }

    /// What a turned bit could not do, a wrong length inside with a right checksum could: nothing is read past the end.
    @Test func lengthsInsideAreChecked() {
        let bytes: [UInt8] = [0xff, 0xff, 0xff, 0xff, 1, 2]
        bytes.withUnsafeBytes { raw in
            var reader = RecordReader(raw, from: 0)
            #expect(reader.range() == nil)
            reader = RecordReader(raw, from: 0)
            #expect(reader.list() == nil)
            reader = RecordReader(raw, from: 4)
            #expect(reader.word(UInt32.self) == nil)
            #expect(reader.word(UInt16.self) == 0x0201)
            #expect(reader.isAtEnd)
        }
    }

    /// Who shares a store may write anything into it: no time, and no line, that nothing could be made of.
    @Test func valuesInsideAreChecked() {
        #expect(!Self.isRecord(Self.bytes(Self.entry(), receivedAt: -1)))
        #expect(!Self.isRecord(Self.bytes(Self.entry(), receivedAt: 1 << 50)))
        for lines in ["\r:", "\r\n:", "a:\r\n", "a: b\r", "ETag:\r\n", ":", ""] {
            Array(lines.utf8).withUnsafeBytes { lines in
                var fields = HeaderBlock()
                StoredHead.read(lines, into: &fields)
                #expect(fields.count == 0)
                #expect(StoredHead.value(of: .etag, in: lines) == nil)
            }
        }
    }

    /// A record with the right checksum, and with what nobody stores in it.
    private static func forged(
        status: Int = 200, lines: [UInt8] = [], etag: String? = nil, lastModified: String? = nil,
        variance: StoredResponse.Variance? = nil
    ) -> [UInt8] {
        let freshness = Freshness(DecisionTests.facts(200, ["Cache-Control: max-age=60"]), CachePolicy())
        var head = StoredHead(status: status, freshness: freshness, initialAge: 3, responseTime: 1_000_000_000)
        head.lines = lines
        head.validatorETag = etag.map { Array($0.utf8) }
        head.validatorLastModified = lastModified.map { Array($0.utf8) }
        return bytes(
            StoredResponse.make(head, key: CacheKey(high: 1, low: 2), bodyCount: 0, variance: variance) { _ in })
    }

    /// RFC 9111 §3: what is answered is final and whole; a note of what selects among answers has no status.
    @Test(arguments: [
        (0, false), (99, false), (100, false), (101, false), (199, false), (200, true), (204, true), (206, false),
        (304, false), (404, true), (599, true), (600, false), (1000, false), (65_535, false),
    ])
    func statusesAreChecked(_ status: Int, _ isRecord: Bool) {
        #expect(Self.isRecord(Self.forged(status: status)) == isRecord)
        let note = StoredResponse.Variance(fields: [Array("accept".utf8)])
        #expect(Self.isRecord(Self.forged(status: status, variance: note)) == (isRecord || status == 0))
        // One that selects nothing would stand for the answer itself.
        #expect(!Self.isRecord(Self.forged(status: status, variance: .init(fields: []))))
    }

    @Test(arguments: [
        "", "A: b\r\n", "a:  b \r\n", "A: \r\n", "A: \u{e9}\tb\r\nX-Y: c: d\r\n", "Trailer: X\r\n",
        "Set-Cookie: a=b\r\n",
    ])
    func linesAreWhatIsWritten(_ lines: String) {
        #expect(Self.isRecord(Self.forged(lines: Array(lines.utf8))))
    }

    /// They go out as they stand: what ends the head, frames the content or is no line makes it no record.
    @Test(arguments: [
        "A: b", "A: b\r", "A: b\n", "A:b\r\n", "A:\r\n", "A b\r\n", ":\r\n", ": b\r\n", "\r\n", "\n\n\n", "\r\r",
        "A: b\r\n\r\n",
        "A: b\r\n\r\nHTTP/1.1 200 OK\r\n", "A: b\r\n C: d\r\n", "A : b\r\n", "A: b\nC: d\r\n", "A: b\rC: d\r\n",
        "A: \u{0}\r\n", "A: \u{7f}\r\n", "A: \u{1b}[31m\r\n", "A\u{0}: b\r\n", "\u{e9}: b\r\n",
        "Content-Length: 3\r\n", "content-length: 3\r\n", "A: b\r\nTransfer-Encoding: chunked\r\n",
        "Connection: close\r\n",
        "Keep-Alive: timeout=5\r\n", "Proxy-Connection: close\r\n", "TE: trailers\r\n", "Upgrade: h2c\r\n",
        "HTTP2-Settings: a\r\n", "Age: 5\r\n",
    ])
    func linesAreChecked(_ lines: String) {
        #expect(!Self.isRecord(Self.forged(lines: Array(lines.utf8))))
    }

    /// Longer than any block of fields takes.
    @Test func aNameWithoutEnd() {
        #expect(!Self.isRecord(Self.forged(lines: Array(repeating: 0x61, count: 1 << 16) + Array(": b\r\n".utf8))))
    }

    /// Of a record the age, the lifetime, and for how long it may be answered stale stand at these places.
    @Test(arguments: [58, 66, 74, 82])
    func secondsFitIntoAnEntry(_ place: Int) {
        let spans: [(Int64, Bool)] = [
            (0, true), (Int64(UInt32.max), true), (1 << 32, false), (-1, false), (.max, false),
        ]
        for (seconds, isRecord) in spans {
            var bytes = Self.bytes(Self.entry())
            let word = withUnsafeBytes(of: seconds.littleEndian) { Array($0) }
            bytes.replaceSubrange(place..<(place + 8), with: word)
            TierRecord.seal(&bytes, Self.secret)
            #expect(Self.isRecord(bytes) == isRecord, "\(seconds)")
        }
    }

    /// With them the upstream is asked.
    @Test(arguments: ["\"a\"\r\nX: y", "\"a\"\r\n\r\nGET / HTTP/1.1", "\u{0}", "\n"])
    func validatorsAreChecked(_ validator: String) {
        #expect(!Self.isRecord(Self.forged(etag: validator)))
        #expect(!Self.isRecord(Self.forged(lastModified: validator)))
        #expect(Self.isRecord(Self.forged(etag: "\"a\"", lastModified: "yesterday")))
    }

    /// Whatever is changed in a record whose checksum is made anew: it is none, or one that can be answered and stored
    /// again (the numbers of a record are those of somebody else).
    @Test func nothingInsideTraps() {
        var random = SplitMix64(seed: 9)
        let whole = Self.bytes(Self.entry())
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0...Int(random.next() % 3) {
                let index = TierRecord.frontBytes + Int(random.next() % UInt64(bytes.count - TierRecord.frontBytes))
                let values: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, UInt8(truncatingIfNeeded: random.next())]
                bytes[index] = values[Int(random.next() % UInt64(values.count))]
            }
            TierRecord.seal(&bytes, Self.secret)
            let answer = bytes.withUnsafeBytes { raw in
                TierRecord(raw, secret: Self.secret)?.response(raw, Self.query, dependencies: [])
            }
            guard let answer else { continue }
            #expect(answer.isAnswer ? (200...599).contains(answer.status) : answer.variance != nil)
            #expect(StoredHead.areSound(answer.lines))
            #expect(answer.age(Self.query.now) >= 0)
            #expect(answer.freshUntil <= Self.query.now || answer.age(Self.query.now) < answer.lifetime)
            #expect(!answer.isNewer(than: answer))
            _ = Reuse.decide(answer.time(Self.query.now), request: CacheControl(), serve: [.fresh, .stale])
            #expect(TierRecord.expiry(of: answer, receivedAt: 1_000_000) >= 1_000_000)
            #expect(Self.isRecord(Self.bytes(answer)))
        }
    }

    /// Seconds since it was received, and the age that follows; a clock that was set back makes it stale, not young.
    @Test(arguments: [
        (0, 3, false), (10, 13, false), (56, 59, false), (57, 60, true), (100_000, 100_003, true), (-1, 3, false),
        (-2, 60, true), (-1_000_000, 60, true),
    ])
    func ages(_ elapsed: Int, _ age: Int, _ isStale: Bool) throws {
        let bytes = Self.bytes(Self.entry(), receivedAt: 1_000_000)
        var query = Self.query
        query.unixSeconds = 1_000_000 + elapsed
        let read = try bytes.withUnsafeBytes { raw in
            try #require(TierRecord(raw, secret: Self.secret)).response(raw, query, dependencies: [])
        }
        #expect(read.age(query.now) == age)
        #expect((read.time(query.now).staleness >= 0) == isStale)
        #expect((query.now < read.freshUntil) != isStale)
    }

    @Test func isStaleWhereSomebodySaysSo() throws {
        let bytes = Self.bytes(Self.entry())
        let read = try bytes.withUnsafeBytes { raw in
            try #require(TierRecord(raw, secret: Self.secret))
                .response(raw, Self.query, dependencies: [], isStale: true)
        }
        #expect(read.time(Self.query.now).staleness == 0)
        #expect(read.hasValidator)
    }

    @Test(arguments: [
        ("max-age=60", 57 + 86_400), ("max-age=60, stale-if-error=100000", 57 + 100_000),
        ("max-age=2147483648", 366 * 86_400), ("no-cache", 86_400),
    ])
    func expires(_ control: String, _ seconds: Int) {
        #expect(TierRecord.expiry(of: Self.entry(lifetime: control), receivedAt: 5) == 5 + seconds)
    }
}
