import Testing

@testable import SluiceGateway

/// Whether a client keeps up with its answer, judged from what waits for it.
@Suite struct ReaderStateTests {
    enum Outcome: Sendable {
        case unknown
        case moves
        case tooSlow
    }

    private static func judge(_ state: inout ReaderState, waiting: Int?) -> Outcome {
        switch state.judge(waiting: waiting, least: 10) {
        case .unknown: return .unknown
        case .moves: return .moves
        case .tooSlow(let problem):
            #expect(problem.kind == .clientTooSlow)
            return .tooSlow
        }
    }

    /// Each row: what waits whenever it is looked at, and what is made of it.
    @Test(
        arguments: [
            // The first look has nothing to compare with.
            ([100, 90], [.moves, .moves]), ([100, 91], [.moves, .tooSlow]), ([100, 100], [.moves, .tooSlow]),
            ([100, 90, 85], [.moves, .moves, .tooSlow]),
            // Another's bytes wait with it.
            ([nil, nil], [.unknown, .unknown]), ([100, nil, 95], [.moves, .unknown, .tooSlow]),
        ] as [([Int?], [Outcome])])
    func aClientThatIsBehindHasToTakeSome(waiting: [Int?], outcomes: [Outcome]) {
        var state = ReaderState.behind(unsent: nil)
        let found = waiting.map { Self.judge(&state, waiting: $0) }
        #expect(found == outcomes)
    }

    @Test func aClientThatKeepsUpIsNotJudged() {
        var state = ReaderState.ready
        let outcome = Self.judge(&state, waiting: 100)
        #expect(outcome == .unknown && !state.isBehind)
        state.note(100)
        #expect(!state.isBehind)
    }

    /// What waits once the input has been handed on is what the next look compares with; a later note changes nothing.
    @Test func theInputThatMadeItFallBehindCounts() {
        var state = ReaderState.behind(unsent: nil)
        state.note(200)
        state.note(50)
        let outcomes = [191, 190].map { Self.judge(&state, waiting: $0) }
        #expect(outcomes == [.tooSlow, .moves] && state.isBehind)
    }
}
