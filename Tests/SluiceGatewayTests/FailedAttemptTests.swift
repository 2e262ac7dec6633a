import SluiceContract
import Testing

@testable import SluiceGateway

/// Whether another attempt follows one that has come to nothing, and when: a table over values.
@Suite struct FailedAttemptTests {
    private static let second: UInt64 = 1_000_000_000

    /// An idempotent request that has failed once at 1 s of 30, where everything speaks for another attempt.
    private static func failed(
        _ cause: RetryPolicy.Cause = .reset, count: Int = 1, isUnanswered: Bool = true, isIdempotent: Bool = true,
        canBeSentAgain: Bool = true, hasOther: Bool = true, takesAnother: Bool = true, restsUntil: UInt64 = 0,
        usual: UInt64 = 0, totalBy: UInt64 = 30 * second
    ) -> FailedAttempt {
        FailedAttempt(
            cause: cause, count: count, isUnanswered: isUnanswered, isIdempotent: isIdempotent,
            canBeSentAgain: canBeSentAgain, hasOther: hasOther, takesAnother: takesAnother, now: second,
            restsUntil: restsUntil, usual: usual, totalBy: totalBy)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isRetried: Bool
        let attempt: FailedAttempt

        init(_ description: String, _ isRetried: Bool, _ attempt: FailedAttempt) {
            testDescription = description
            self.isRetried = isRetried
            self.attempt = attempt
        }
    }

    static let cases = [
        Case("all is well", true, failed()),
        Case("the second of three", true, failed(count: 2)),
        Case("the third of three", false, failed(count: 3)),
        Case("a cause that is not asked for", false, failed(.status(500))),
        Case("a status that is", true, failed(.status(503))),
        Case("part of an answer is out", false, failed(isUnanswered: false)),
        Case("doing it twice may do harm", false, failed(isIdempotent: false)),
        Case("nothing was sent, so it does none", true, failed(.connect, isIdempotent: false)),
        Case("the body is gone", false, failed(.connect, canBeSentAgain: false)),
        Case("the only endpoint", true, failed(hasOther: false)),
        Case("the only endpoint rests, and refuses", false, failed(hasOther: false, takesAnother: false)),
        Case("this one rests, and there are others", true, failed(takesAnother: false)),
        Case("no time is left", false, failed(.connect, totalBy: second)),
        Case("less than a millisecond is left", false, failed(.connect, totalBy: second + 1_000_000)),
        Case("just enough is left", true, failed(.connect, totalBy: second + 1_000_001)),
        Case("the usual answer would be late", false, failed(.connect, usual: 29 * second)),
        Case("the usual answer would be in time", true, failed(.connect, usual: 28 * second)),
        Case("the only endpoint rests for too long", false, failed(hasOther: false, restsUntil: 40 * second)),
        Case("its rest says nothing of the others", true, failed(hasOther: true, restsUntil: 40 * second)),
    ]

    @Test(arguments: cases) func theNextAttemptIsDecided(_ example: Case) {
        var random = RandomSource(seed: 3)
        let delay = example.attempt.delay(RetryRules(RetryPolicy(), endpoints: 2), &random)
        #expect((delay != nil) == example.isRetried)
    }

    /// Where the configuration says nothing, a failed connection is tried at another endpoint, and nothing else.
    @Test(arguments: [(true, true), (false, false)]) func theUsualRuleNeedsAnotherEndpoint(
        hasOther: Bool, isTried: Bool
    ) {
        var random = RandomSource(seed: 3)
        let rules = RetryRules(nil, endpoints: 2)
        let delay = Self.failed(.connect, hasOther: hasOther).delay(rules, &random)
        #expect(delay == (isTried ? 0 : nil))
        #expect(Self.failed(.reset, hasOther: hasOther).delay(rules, &random) == nil)
    }

    @Test func anotherEndpointIsAskedAtOnceWhereNothingWasSent() {
        var random = RandomSource(seed: 3)
        let rules = RetryRules(RetryPolicy(), endpoints: 2)
        #expect(Self.failed(.connect).delay(rules, &random) == 0)
    }

    /// RFC 9110 §10.2.3: an endpoint that has asked for time gets it.
    @Test func aRestIsWaitedFor() throws {
        var random = RandomSource(seed: 3)
        let rules = RetryRules(RetryPolicy(), endpoints: 1)
        let delay = Self.failed(.status(503), hasOther: false, restsUntil: 5 * Self.second).delay(rules, &random)
        #expect(delay == 4 * Self.second)
    }
}
