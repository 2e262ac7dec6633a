import SluiceGateway
import Testing

@testable import SluiceIO

/// When spans go out, and what becomes of those that cannot.
@Suite struct TraceQueueTests {
    private static func spans(_ count: Int) -> [TraceSpan] { Array(repeating: sample, count: count) }

    private static let sample = TraceSpan.sample

    private static let later = CollectorAnswer.notNow(reason: "busy", seconds: nil)

    @Test func spansGather() {
        var queue = TraceQueue()
        #expect(queue.took(Self.spans(2)).1 == .call(after: TraceQueue.patience, number: 1))
        #expect(queue.took(Self.spans(3)).1 == nil)
        #expect(queue.batch.isEmpty)
        #expect(queue.timePassed(1) == .send)
        #expect(queue.batch.count == 5)
        let (outcome, order) = queue.answered(.taken)
        #expect(outcome == .init(exported: 5, refused: 0) && order == nil)
        #expect(queue.took(Self.spans(1)).1 == .call(after: TraceQueue.patience, number: 2))
    }

    /// A full batch waits for nobody, and the call that was meant for it finds it gone.
    @Test func aFullBatchGoesAtOnce() {
        var queue = TraceQueue()
        #expect(queue.took(Self.spans(TraceQueue.batchMax - 1)).1 == .call(after: TraceQueue.patience, number: 1))
        #expect(queue.took(Self.spans(4)).1 == .send)
        #expect(queue.batch.count == TraceQueue.batchMax)
        #expect(queue.timePassed(1) == nil)
        // What is left gathers anew.
        #expect(queue.answered(.taken).1 == .call(after: TraceQueue.patience, number: 2))
        #expect(queue.timePassed(1) == nil)
        #expect(queue.timePassed(2) == .send)
        #expect(queue.batch.count == 3)
    }

    @Test func aBatchMayBeTakenInPart() {
        var queue = TraceQueue()
        _ = queue.took(Self.spans(5))
        _ = queue.timePassed(1)
        #expect(queue.answered(.takenInPart(refused: 2)).0 == .init(exported: 3, refused: 2))
        #expect(queue.batch.isEmpty)
    }

    @Test func whatHasNoRoomIsLost() {
        var queue = TraceQueue()
        #expect(queue.took(Self.spans(TraceQueue.waitingMax - 1)).lost == 0)
        // Those that are under way count as well.
        #expect(queue.batch.count == TraceQueue.batchMax)
        #expect(queue.took(Self.spans(3)).lost == 2)
        #expect(queue.took(Self.spans(1)).lost == 1)
        #expect(queue.answered(.taken).1 == .send)
        #expect(queue.took(Self.spans(TraceQueue.batchMax + 1)).lost == 1)
    }

    /// The waits grow; what the collector wants is kept to, up to a minute.
    @Test func aBatchIsSentAgain() {
        var queue = TraceQueue()
        _ = queue.took(Self.spans(3))
        #expect(queue.timePassed(1) == .send)
        var number = 1
        for seconds in [1, 2, 4, 8] {
            number += 1
            #expect(queue.answered(Self.later).1 == .call(after: .seconds(seconds), number: number))
            #expect(queue.took(Self.spans(1)).1 == nil)
            #expect(queue.timePassed(number) == .send)
        }
        #expect(queue.batch.count == 3)
        let (outcome, order) = queue.answered(Self.later)
        #expect(outcome == .init(exported: 0, refused: 3))
        #expect(order == .call(after: TraceQueue.patience, number: number + 1))
    }

    @Test(arguments: [(nil, 1), (0, 1), (7, 7), (3600, 60)] as [(Int?, Int)])
    func theCollectorSaysWhen(_ asked: Int?, _ seconds: Int) {
        var queue = TraceQueue()
        _ = queue.took(Self.spans(1))
        _ = queue.timePassed(1)
        #expect(queue.answered(.notNow(reason: "", seconds: asked)).1 == .call(after: .seconds(seconds), number: 2))
    }

    @Test func whatIsRefusedIsGone() {
        var queue = TraceQueue()
        _ = queue.took(Self.spans(TraceQueue.batchMax * 2))
        let (outcome, order) = queue.answered(.refused(reason: ""))
        #expect(outcome == .init(exported: 0, refused: TraceQueue.batchMax) && order == .send)
    }

    /// The process ends: all goes out at once, and what is not taken then is lost.
    @Test func theEndWaitsForNothing() {
        var queue = TraceQueue()
        #expect(queue.end() == nil)
        _ = queue.took(Self.spans(700))
        #expect(queue.end() == .send)
        #expect(queue.batch.count == 512)
        let first = queue.answered(Self.later)
        #expect(first.0 == .init(exported: 0, refused: 512) && first.1 == .send)
        #expect(queue.batch.count == 188)
        let second = queue.answered(.taken)
        #expect(second.0 == .init(exported: 188, refused: 0) && second.1 == nil)
    }

    /// One that rests is sent once more at the end.
    @Test func theEndIsTheLastTry() {
        var queue = TraceQueue()
        _ = queue.took(Self.spans(2))
        _ = queue.timePassed(1)
        _ = queue.answered(Self.later)
        #expect(queue.end() == .send)
        #expect(queue.batch.count == 2)
        #expect(queue.timePassed(2) == nil)
        #expect(queue.answered(.taken).0 == .init(exported: 2, refused: 0))
        // An answer that nobody waits for changes nothing.
        let late = queue.answered(.taken)
        #expect(late.0 == .init() && late.1 == nil)
    }
}
