import SluiceContract
import Testing

@testable import SluiceGateway

/// What is due when, and which problem that is: over values alone.
@Suite struct FetchDeadlinesTests {
    private static let second: UInt64 = 1_000_000_000

    /// Deadlines of a fetch that begins at 0, may take 30 s in all and 10 s to the first byte.
    private static func deadlines(_ happened: (inout FetchDeadlines) -> Void = { _ in }) -> FetchDeadlines {
        var deadlines = FetchDeadlines()
        deadlines.begin(totalBy: 30 * second)
        happened(&deadlines)
        return deadlines
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// When the timer is to fire, in seconds; nil for never.
        let next: UInt64?
        let due: FetchDeadlines.Due
        var isUploading = false
        var hasHead = false
        let happened: @Sendable (inout FetchDeadlines) -> Void

        init(
            _ description: String, next: UInt64?, _ due: FetchDeadlines.Due, isUploading: Bool = false,
            hasHead: Bool = false, _ happened: @escaping @Sendable (inout FetchDeadlines) -> Void
        ) {
            testDescription = description
            self.next = next
            self.due = due
            self.isUploading = isUploading
            self.hasHead = hasHead
            self.happened = happened
        }
    }

    static let cases = [
        Case("it waits for a carrier", next: 30, .total) { _ in },
        Case("the request is out", next: 14, .firstByte) {
            $0.requestEnded(at: 4 * second, firstByte: 10 * second, total: nil)
        },
        Case("the first byte may come later than the whole", next: 30, .total) {
            $0.requestEnded(at: 25 * second, firstByte: 10 * second, total: nil)
        },
        Case("a body of any size is on its way up", next: nil, .nothing, isUploading: true) { _ in },
        Case("the upstream has no room for more of it", next: 2, .upload, isUploading: true) {
            $0.uploadHeld(at: second, taken: 0, silence: 4 * second)
        },
        Case("it has room again", next: nil, .nothing, isUploading: true) {
            $0.uploadHeld(at: second, taken: 0, silence: 4 * second)
            $0.uploadGoesOn()
        },
        Case("what is checked is bound by the total, room or not", next: 30, .total) {
            $0.uploadHeld(at: second, taken: 0, silence: 4 * second)
        },
        Case("the body is out", next: 14, .firstByte, isUploading: true) {
            $0.uploadHeld(at: second, taken: 0, silence: 40 * second)
            $0.requestEnded(at: 4 * second, firstByte: 10 * second, total: nil)
        },
        Case("the answer begins meanwhile", next: 7, .silence, isUploading: true, hasHead: true) {
            $0.uploadHeld(at: second, taken: 0, silence: 4 * second)
            $0.answerBegan(at: 2 * second, boundBy: .progress(silence: 5 * second))
        },
        Case("another attempt begins with room", next: nil, .nothing, isUploading: true) {
            $0.uploadHeld(at: second, taken: 0, silence: 4 * second)
            $0.attemptBegan()
        },
        Case("the total begins anew behind a body", next: 70, .total) {
            $0.requestEnded(at: 40 * second, firstByte: 50 * second, total: 30 * second)
        },
        Case("the client waits to be told to go on", next: 4, .sendContinue) { $0.continueAwaited(at: 3 * second) },
        Case("the client was told to go on", next: 30, .total) {
            $0.continueAwaited(at: 3 * second)
            $0.continueSent()
        },
        Case("the whole request ends that wait, too", next: 13, .firstByte) {
            $0.continueAwaited(at: 3 * second)
            $0.requestEnded(at: 3 * second, firstByte: 10 * second, total: nil)
        },
        Case("what is checked is bound by the total", next: 30, .total, hasHead: true) {
            $0.requestEnded(at: second, firstByte: 10 * second, total: nil)
            $0.answerBegan(at: 2 * second, boundBy: .total)
        },
        Case("what passes through is bound by its silence", next: 7, .silence, hasHead: true) {
            $0.requestEnded(at: second, firstByte: 10 * second, total: nil)
            $0.answerBegan(at: 2 * second, boundBy: .progress(silence: 5 * second))
        },
        Case("bytes put that off, beyond the total", next: 45, .silence, hasHead: true) {
            $0.answerBegan(at: 2 * second, boundBy: .progress(silence: 5 * second))
            for time in 3...40 { _ = $0.moved(at: UInt64(time) * second) }
        },
        Case("bytes of what is checked put nothing off", next: 30, .total, hasHead: true) {
            $0.answerBegan(at: 2 * second, boundBy: .total)
            _ = $0.moved(at: 20 * second)
        },
        Case("a call of messages may be silent before its head", next: 100, .firstByte) {
            $0.answerBegan(at: 0, boundBy: .progress(silence: 100 * second))
        },
        Case("unless its request is over", next: 12, .firstByte) {
            $0.answerBegan(at: 0, boundBy: .progress(silence: 100 * second))
            $0.requestEnded(at: 2 * second, firstByte: 10 * second, total: nil)
        },
        Case("a hedge is planned", next: 3, .nextAttempt) {
            $0.planAttempt(at: 3 * second)
            $0.requestEnded(at: 0, firstByte: 10 * second, total: nil)
        },
        Case("a retry waits, and nothing of the last attempt counts", next: 5, .nextAttempt) {
            $0.continueAwaited(at: second)
            $0.requestEnded(at: second, firstByte: second, total: nil)
            $0.attemptBegan()
            $0.planAttempt(at: 5 * second)
        },
        Case("the next attempt has begun", next: 30, .total) {
            $0.answerBegan(at: 0, boundBy: .progress(silence: second))
            $0.planAttempt(at: 5 * second)
            $0.forgetNextAttempt()
            $0.attemptBegan()
        },
        Case("to go on comes before another attempt, where both are due", next: 3, .sendContinue) {
            $0.planAttempt(at: 3 * second)
            $0.continueAwaited(at: 2 * second)
        },
        Case("another attempt comes before a failure, where both are due", next: 3, .nextAttempt) {
            $0.planAttempt(at: 3 * second)
            $0.requestEnded(at: second, firstByte: 2 * second, total: nil)
        },
    ]

    @Test(arguments: cases) func somethingIsDue(_ example: Case) {
        let deadlines = Self.deadlines(example.happened)
        let next = deadlines.next(isUploading: example.isUploading)
        #expect(next == example.next.map { $0 * Self.second } ?? .max)
        func due(at time: UInt64) -> FetchDeadlines.Due {
            deadlines.due(at: time, isUploading: example.isUploading, hasHead: example.hasHead)
        }
        guard next < .max else { return #expect(due(at: .max - 1) == .nothing) }
        #expect(due(at: next - 1) == .nothing)
        #expect(due(at: next) == example.due)
    }

    /// The usual silence is over: an event stream gets the longer one, once.
    @Test func silenceIsExtendedOnce() {
        var deadlines = Self.deadlines { $0.answerBegan(at: 0, boundBy: .progress(silence: 5 * Self.second)) }
        let extended = deadlines.extendSilence(to: 60 * Self.second)
        #expect(extended && deadlines.nextByteBy == 60 * Self.second)
        let again = deadlines.extendSilence(to: 60 * Self.second)
        #expect(!again && deadlines.nextByteBy == 60 * Self.second)
        // A byte begins it anew.
        _ = deadlines.moved(at: 61 * Self.second)
        let afterByte = deadlines.extendSilence(to: 60 * Self.second)
        #expect(afterByte && deadlines.nextByteBy == 121 * Self.second)
    }

    @Test(arguments: [FetchDeadlines.Bound.total, .progress(silence: 60 * second), .progress(silence: 61 * second)])
    func silenceIsNeverCut(_ bound: FetchDeadlines.Bound) {
        var deadlines = Self.deadlines { $0.answerBegan(at: 0, boundBy: bound) }
        let before = deadlines.nextByteBy
        let extended = deadlines.extendSilence(to: 60 * Self.second)
        #expect(!extended && deadlines.nextByteBy == before)
    }

    @Test(
        arguments: [
            (.nothing, nil, ""), (.sendContinue, nil, ""), (.nextAttempt, nil, ""),
            (.total, .totalTimeout, "'fruit' took longer than 30 s in all."),
            (.upload, .totalTimeout, "'fruit' has stopped taking the body of the request."),
            (.silence, .totalTimeout, "'fruit' stopped in the middle of its answer."),
            (.firstByte, .firstByteTimeout, "'fruit' did not answer within 10 s."),
        ] as [(FetchDeadlines.Due, Problem.Kind?, String)])
    func whatIsDueIsAProblemOrNone(due: FetchDeadlines.Due, kind: Problem.Kind?, detail: String) {
        let problem = FetchDeadlines.problem(
            of: due, upstream: "fruit", total: .seconds(30), firstByte: .seconds(10))
        #expect(problem?.kind == kind)
        #expect(problem?.detail ?? "" == detail)
    }
}
