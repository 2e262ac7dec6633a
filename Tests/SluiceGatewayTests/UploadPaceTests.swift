import Testing

@testable import SluiceGateway

/// An upstream that has no room for more of a body: whether it still takes what waits.
@Suite struct UploadPaceTests {
    private static let silence: UInt64 = 4000

    /// Looks whenever it is time, until the upstream has been silent for too long.
    /// - Parameter takes: the times at which the upstream takes a byte.
    /// - Returns: when that is seen.
    private static func end(takes: [UInt64]) -> UInt64 {
        var pace = UploadPace()
        pace.begin(at: 0, taken: -10, silence: silence)
        while pace.isHeld {
            let now = pace.lookAt
            if pace.isStuck(at: now, taken: takes.count { $0 <= now } - 10) { return now }
        }
        return .max
    }

    @Test(
        arguments: [
            ([], 4000), ([100], 5000), ([1000], 5000), ([1001], 6000), ([3999], 8000),
            ([3000, 6000, 9000, 12000], 16000),
            // What is taken at the last moment counts.
            ([4000], 8000), ([4001], 4000),
        ] as [([UInt64], UInt64)])
    func silenceIsSeenAQuarterLateAtMost(takes: [UInt64], end: UInt64) {
        #expect(Self.end(takes: takes) == end)
    }

    @Test func nobodyLooksWhereThereIsRoom() {
        var pace = UploadPace()
        #expect(!pace.isHeld && pace.lookAt == .max)
        pace.begin(at: 7, taken: 0, silence: Self.silence)
        #expect(pace.isHeld && pace.lookAt == 1007)
        pace.end()
        #expect(!pace.isHeld && pace.lookAt == .max)
    }

    /// What was given to the carrier since is no sign of the upstream.
    @Test func whatIsAddedDoesNotCount() {
        var pace = UploadPace()
        pace.begin(at: 0, taken: -10, silence: Self.silence)
        let isStuckEarly = pace.isStuck(at: 1000, taken: -20)
        let isStuck = pace.isStuck(at: 4000, taken: -20)
        #expect(!isStuckEarly && isStuck)
        pace.begin(at: 0, taken: -10, silence: Self.silence)
        _ = pace.isStuck(at: 1000, taken: -20)
        let moves = !pace.isStuck(at: 4000, taken: -19)
        #expect(moves)
    }
}
