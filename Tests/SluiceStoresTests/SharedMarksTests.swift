import SluiceCache
import Testing

@testable import SluiceStores

/// What gateways know of each other's invalidations.
@Suite struct SharedMarksTests {
    private static let secret: (UInt64, UInt64) = (1, 2)

    private func words(_ changes: [Int: UInt64]) -> [UInt8] {
        var words = [UInt64](repeating: 0, count: (changes.keys.max() ?? 0) + 1)
        for (index, word) in changes { words[index] = word }
        return words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }

    private func adopt(_ marks: SharedMarks, _ changes: [Int: UInt64], isFirst: Bool = false) -> [UInt32] {
        var changed: [UInt32] = []
        _ = marks.adopt(words(changes), isFirst: isFirst) { changed.append($0) }
        return changed
    }

    @Test func whatOthersInvalidateIsCounted() {
        let marks = SharedMarks()
        #expect(adopt(marks, [0: 9, 5: 1]) == [4])
        #expect(adopt(marks, [0: 9, 5: 1, 7: 3]) == [6])
        #expect(adopt(marks, [0: 9, 5: 1, 7: 3]) == [])
        // Soft marks make nothing useless.
        #expect(adopt(marks, [0: 9, 5: 1, 7: 3, SharedMarks.softIndex + 4: 3]) == [])
        #expect(adopt(marks, [0: 9, 5: 1, 7: 3, SharedMarks.allIndex: 1]).count == Epochs.slotCount)
    }

    /// What was known of an era that the server has lost is no invalidation; whoever was away cannot know.
    @Test func aNewEra() {
        let marks = SharedMarks()
        _ = adopt(marks, [0: 9, 5: 1, 7: 3])
        #expect(adopt(marks, [0: 10, 7: 4]) == [6])
        #expect(adopt(marks, [0: 11], isFirst: true).count == Epochs.slotCount)
    }

    /// The server has lost them, and somebody may have been away: they are to be told once more, but for soft ones,
    /// which only concern what is on the server.
    @Test func whatTheServerHasForgotten() {
        let (soft, all) = (SharedMarks.softIndex + 4, SharedMarks.allIndex)
        let marks = SharedMarks()
        #expect(marks.adopt(words([0: 9, 5: 1, 7: 3, soft: 3, all: 2]), isFirst: true) { _ in } == [])
        #expect(marks.adopt(words([0: 9, 5: 2]), isFirst: false) { _ in } == [])
        #expect(marks.adopt(words([0: 9, 5: 1, 7: 3, soft: 3, all: 2]), isFirst: false) { _ in } == [])
        #expect(marks.adopt(words([0: 10, 7: 4]), isFirst: false) { _ in } == [5, 7, all])
    }

    @Test(arguments: [
        PurgeRequest.Selection.everything, .binding("GET /a"), .key(Sample.key(1)), .target(Array("/a/1".utf8)),
        .tag("red"),
    ])
    func aRecordKnowsWhatPurgesIt(_ selection: PurgeRequest.Selection) {
        let entry = Sample.entry(1, tags: ["red"], dependencies: [.init(slot: 7, epoch: 1)])
        let other = Sample.entry(2, binding: "GET /b", tags: ["green"])
        for isSoft in [false, true] {
            let marks = SharedMarks()
            _ = adopt(marks, [0: 9])
            let (own, others) = (marks.marks(of: entry, Self.secret), marks.marks(of: other, Self.secret))
            #expect(marks.judge(own) == .good)
            marks[SharedMarks.index(PurgeRequest(selection, isSoft: isSoft), Self.secret)] = 4
            #expect(marks.judge(own) == (isSoft ? .stale : .useless))
            #expect(marks.judge(others) == (selection != .everything ? .good : isSoft ? .stale : .useless))
        }
    }

    @Test func aRecordOfAnotherEraIsUseless() {
        let marks = SharedMarks()
        let entry = Sample.entry(1, dependencies: [.init(slot: 7, epoch: 1)])
        // Before anything is known.
        #expect(marks.judge(marks.marks(of: entry, Self.secret)) == .useless)
        _ = adopt(marks, [0: 9])
        let record = marks.marks(of: entry, Self.secret)
        #expect(marks.judge(record) == .good)
        #expect(marks.judge(record.filter { $0.slot != 0 }) == .useless)
        #expect(marks.judge(record + [.init(slot: 1 << 20, value: 0)]) == .useless)
        marks[SharedMarks.hardIndex + 7] = 1
        #expect(marks.judge(record) == .useless)
        _ = adopt(marks, [0: 10])
        #expect(marks.judge(record) == .useless)
    }

    /// Gateways with the same password agree on keys.
    @Test func theSecretIsThatOfThePassword() {
        let secrets = [nil, "", "a", "b"].map { SharedSecret.derive(password: $0) }
        #expect(secrets[0] == secrets[1])
        #expect(secrets[1] != secrets[2])
        #expect(secrets[2] != secrets[3])
        #expect(SharedSecret.derive(password: "a") == secrets[2])
    }
}
