import SluiceContract
import SluiceHTTP
import SluiceHTTP2
import Testing

@testable import SluiceGateway

/// What becomes of a request whose connection or stream is gone.
@Suite struct LostCarrierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isReplayed: Bool
        let lost: LostCarrier
        var replays = 0
        var isIdempotent = true
        var canBeSentAgain = true
    }

    private static let idle = LostCarrier(isReused: true)
    private static let unprocessed = LostCarrier(isUnprocessed: true)

    static let cases = [
        Case(testDescription: "an idle connection was closed unseen", isReplayed: true, lost: idle),
        Case(testDescription: "once only", isReplayed: false, lost: idle, replays: 1),
        Case(testDescription: "not twice what may do harm", isReplayed: false, lost: idle, isIdempotent: false),
        Case(testDescription: "not without its body", isReplayed: false, lost: idle, canBeSentAgain: false),
        Case(testDescription: "a fresh connection", isReplayed: false, lost: LostCarrier()),
        Case(
            testDescription: "an answer has begun", isReplayed: false,
            lost: LostCarrier(isReused: true, hadFirstByte: true)),
        Case(testDescription: "not processed", isReplayed: true, lost: unprocessed, isIdempotent: false),
        Case(testDescription: "not processed, again", isReplayed: true, lost: unprocessed, replays: 2),
        Case(testDescription: "not processed, too often", isReplayed: false, lost: unprocessed, replays: 3),
        Case(testDescription: "not processed, body gone", isReplayed: false, lost: unprocessed, canBeSentAgain: false),
    ]

    @Test(arguments: cases) func itIsSentOnceMoreOrNot(_ example: Case) {
        let isReplayed = example.lost.isReplayed(
            after: example.replays, isIdempotent: example.isIdempotent, canBeSentAgain: example.canBeSentAgain)
        #expect(isReplayed == example.isReplayed)
    }

    @Test func theClientHearsWhatIsKnown() {
        #expect(LostCarrier().problem(upstream: "fruit").kind == .connectionReset)
        #expect(LostCarrier(hadFirstByte: true).problem(upstream: "fruit").kind == .upstreamTruncated)
        let known = Problem(.tlsFailure, detail: "no")
        #expect(LostCarrier(problem: known, hadFirstByte: true).problem(upstream: "fruit").kind == .tlsFailure)
    }

    @Test(
        arguments: [
            (.malformed("bad"), .upstreamProtocol, true, false),
            (.unprocessed, .connectionReset, false, true),
            (.reset(HTTP2ErrorCode.cancel.rawValue), .upstreamTruncated, true, false),
            (.reset(HTTP2ErrorCode.http11Required.rawValue), .upstreamProtocol, true, false),
            (.reset(4711), .upstreamTruncated, true, false),
        ] as [(HTTP2ClientStream.End, Problem.Kind, Bool, Bool)])
    func aStreamThatEndsEarlyIsALoss(
        end: HTTP2ClientStream.End, kind: Problem.Kind, hadFirstByte: Bool, isUnprocessed: Bool
    ) throws {
        let lost = try #require(LostCarrier(end, hadFirstByte: true, isForHTTP1: false, upstream: "fruit"))
        #expect(lost.problem?.kind == kind)
        #expect(lost.hadFirstByte == hadFirstByte)
        #expect(lost.isUnprocessed == isUnprocessed)
        #expect(!lost.isReused && !lost.wasConnecting)
    }

    /// RFC 9113 §7: over HTTP/1.1 it will be processed.
    @Test(arguments: [true, false]) func anUpstreamMayWantHTTP1(isForHTTP1: Bool) throws {
        let end = HTTP2ClientStream.End.reset(HTTP2ErrorCode.http11Required.rawValue)
        let lost = try #require(LostCarrier(end, hadFirstByte: false, isForHTTP1: isForHTTP1, upstream: "fruit"))
        #expect(lost.isUnprocessed == isForHTTP1)
    }

    @Test(arguments: [HTTP2ClientStream.End.done, .fieldsTooLarge(most: 7)])
    func anotherAttemptWouldMendNothing(_ end: HTTP2ClientStream.End) {
        #expect(LostCarrier(end, hadFirstByte: false, isForHTTP1: false, upstream: "fruit") == nil)
    }
}
