import SluiceContract
import Testing

@testable import SluiceHTTP2

/// What frames of a client may cost.
@Suite struct HTTP2FrameWatchTests {
    /// Each answer that was sent to its end pays for one reset, and for no more than there may be at once.
    @Test func answersPayForResets() {
        var limits = HTTP2Limits(Limits())
        limits.resets = 3
        var watch = HTTP2FrameWatch(limits, at: 0)
        watch.answerSent()
        let first = (0..<4).map { _ in watch.resetProvoked(at: 0) }
        #expect(first == [true, true, true, false])
        watch.answerSent()
        let second = (0..<2).map { _ in watch.resetProvoked(at: 0) }
        #expect(second == [true, false])
    }
}
