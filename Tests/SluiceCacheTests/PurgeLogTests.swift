import Testing

@testable import SluiceCache

@Suite struct PurgeLogTests {
    static let hard = PurgeRequest(.tag("fruit"))
    static let soft = PurgeRequest(.tag("fruit"), isSoft: true)
    static let other = PurgeRequest(.tag("other"))

    static let rows: [([PurgeRequest], Int, PurgeLog.Verdict)] = [
        ([], 0, .untouched), ([other], 0, .untouched), ([hard], 0, .gone), ([hard], 1, .untouched),
        ([soft], 0, .stale), ([soft], 1, .untouched), ([soft, hard], 0, .gone), ([hard, soft], 0, .gone),
        ([hard, soft], 1, .stale), ([hard, soft, other], 2, .untouched), ([other, soft, other], 0, .stale),
    ]

    /// Only those purges count that came after the request began.
    @Test(arguments: rows)
    func judges(_ purges: [PurgeRequest], begunAfter start: Int, _ verdict: PurgeLog.Verdict) {
        let log = PurgeLog()
        for purge in purges { log.add(purge) }
        let entry = PurgeRequestTests.entry()
        #expect(log.judge(since: UInt64(start)) { $0.selects(entry) } == verdict)
    }

    /// What has been forgotten cannot be judged: the answer is not stored.
    @Test func forgetsInTheSafeDirection() {
        let log = PurgeLog()
        for _ in 0..<PurgeLog.keptMax { log.add(Self.other) }
        #expect(log.judge(since: 0) { _ in false } == .untouched)
        log.add(Self.other)
        #expect(log.judge(since: 0) { _ in false } == .gone)
        #expect(log.judge(since: 1) { _ in false } == .untouched)
        #expect(log.number == UInt64(PurgeLog.keptMax) + 1)
    }
}
