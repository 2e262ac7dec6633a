import Dispatch
import SluiceContract
import Testing

@testable import SluiceGateway

/// Until when an upstream is not asked, whoever says it when.
@Suite struct UpstreamPauseTests {
    @Test func thePauseThatEndsLastCounts() {
        let pause = UpstreamPause()
        #expect(pause.left(at: 0) == 0)
        pause.begin(until: 60, status: 429)
        // An answer that was overtaken.
        pause.begin(until: 10, status: 503)
        #expect(pause.left(at: 5) == 55)
        #expect(pause.refusal(left: 55, upstream: "fruit").status == 429)
        pause.begin(until: 70, status: 503)
        #expect(pause.left(at: 60) == 10)
        #expect(pause.refusal(left: 10, upstream: "fruit").status == 503)
        #expect(pause.left(at: 70) == 0)
        pause.begin(until: 80, status: 429)
        #expect(pause.left(at: 70) == 10)
        #expect(pause.refusal(left: 10, upstream: "fruit").status == 429)
    }

    @Test func loopsAtTheSameTime() {
        let pause = UpstreamPause()
        DispatchQueue.concurrentPerform(iterations: 10_000) { number in
            pause.begin(until: UInt64(number), status: number.isMultiple(of: 2) ? 429 : 503)
        }
        #expect(pause.left(at: 0) == 9999)
        #expect(pause.refusal(left: 9999, upstream: "fruit").status == 503)
    }
}
