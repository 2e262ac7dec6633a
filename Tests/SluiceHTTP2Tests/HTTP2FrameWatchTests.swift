import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceHTTP2

/// What frames of a client may cost.
@Suite struct HTTP2FrameWatchTests {
    typealias Wire = HTTP2Wire

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

    /// A request makes room for frames that do nothing by themselves; its trailers make none.
    @Test func trailersPayForNothing() {
        var limits = HTTP2Limits(Limits())
        limits.controlFrames = 3
        var watch = HTTP2FrameWatch(limits, at: 0)
        let pings = [Wire.ping(), Wire.ping(), Wire.ping()].flatMap { $0 }
        let request = Wire.request(1, "POST", end: false) + Wire.headers(1, [("x-sum", "1")])
        let first = Self.fault(of: Wire.magic + pings + request, in: &watch)
        #expect(first == nil)
        // Of the three pings the request has paid for two.
        let second = Self.fault(of: pings, in: &watch)
        #expect(second == .enhanceYourCalm)
    }

    private static func fault(of bytes: [UInt8], in watch: inout HTTP2FrameWatch) -> HTTP2ErrorCode? {
        let finding = bytes.withUnsafeBytes { watch.look(at: $0, now: 0).finding }
        guard case .fault(let code)? = finding else { return nil }
        return code
    }
}
