import Testing

@testable import SluiceGateway

/// How much of a request is out, and whether it can go out again.
@Suite struct RequestProgressTests {

    /// - Returns: for each piece of a body, whether it is kept.
    private static func run(_ progress: inout RequestProgress, _ pieces: [Int], heldCount: Int = 0) -> [Bool] {
        var held = heldCount
        return pieces.map { count in
            let isKept = progress.bodySent(count, heldCount: held)
            if isKept { held += count }
            return isKept
        }
    }

    @Test(
        arguments: [
            (0, 0, [1], [false]), (4, 0, [4], [true]), (4, 0, [5], [false]), (4, 2, [2, 1], [true, false]),
            (4, 4, [1], [false]),
            // What was not kept once is gone, however little follows.
            (8, 0, [4, 5, 1], [true, false, false]),
        ] as [(Int, Int, [Int], [Bool])])
    func aShortBodyIsKept(keptBytesMax: Int, heldCount: Int, pieces: [Int], isKept: [Bool]) {
        var progress = RequestProgress()
        progress.keptBytesMax = keptBytesMax
        #expect(Self.run(&progress, pieces, heldCount: heldCount) == isKept)
        #expect(progress.canBeSentAgain == isKept.allSatisfy(\.self))
        #expect(progress.streamed == (progress.canBeSentAgain ? .kept : .consumed))
    }

    @Test func aBodyIsOnItsWayUntilTheRequestEnds() {
        var progress = RequestProgress()
        #expect(progress.sent == .nothing && !progress.isStreaming && progress.canBeSentAgain)
        progress.headSent()
        #expect(progress.sent == .head && !progress.isStreaming)
        _ = progress.bodySent(1, heldCount: 0)
        #expect(progress.isStreaming)
        progress.requestEnded()
        #expect(progress.sent == .all && !progress.isStreaming)
    }

    /// Another attempt waits for the upstream, and not for the client.
    @Test func nothingIsOnItsWayBetweenAttempts() {
        var progress = RequestProgress()
        progress.keptBytesMax = 4
        progress.headSent()
        _ = progress.bodySent(1, heldCount: 0)
        progress.attemptEnded()
        #expect(!progress.isStreaming && progress.canBeSentAgain)
        progress.headSent()
        #expect(progress.isStreaming)
    }

    /// Bytes of the client are not given back by the end of an attempt.
    @Test func anotherAttemptBeginsWithoutWhatIsGone() {
        var progress = RequestProgress()
        progress.headSent()
        _ = progress.bodySent(1, heldCount: 0)
        progress.requestEnded()
        progress.attemptEnded()
        #expect(progress.sent == .nothing)
        #expect(progress.streamed == .consumed && !progress.canBeSentAgain)
    }
}
