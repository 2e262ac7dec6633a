import TestBytes
import Testing

@testable import SluiceHTTP2

struct HTTP2StreamHistoryTests {
    /// What was opened and ended, without a limit of memory. The last 512 identifiers are those that are remembered.
    private struct Model {
        var opened: Set<Int32> = []
        var ended: Set<Int32> = []
        var last: Int32 { opened.max() ?? 0 }

        func remembers(_ id: Int32) -> Bool { id % 2 == 1 && id <= last && (last - id) / 2 < 512 }

        func verdict(_ id: Int32) -> HTTP2StreamHistory.Verdict {
            if !remembers(id) { return .fine }
            return opened.contains(id) ? ended.contains(id) ? .ended : .fine : .skipped
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithAModel(seed: UInt64) {
        var random = SplitMix(state: seed)
        var history = HTTP2StreamHistory()
        var model = Model()
        for _ in 0..<400 {
            // Mostly the next one; sometimes some are passed over, rarely more than are remembered.
            let step = [1, 1, 1, 2, 7, 64, 600].randomElement(using: &random) ?? 1
            let id = model.last == 0 ? Int32(2 * step - 1) : model.last + Int32(2 * step)
            if Bool.random(using: &random) || model.last == 0 {
                history.open(id)
                model.opened.insert(id)
            }
            let ending = max(1, model.last - 2 * Int32.random(in: 0...520, using: &random)) | 1
            history.end(ending)
            // Who has not been opened has no end, and who is forgotten gets none.
            if model.remembers(ending) { model.ended.insert(ending) }
            #expect(history.last == model.last)
            for id in [ending, model.last, model.last - 2, model.last - 1022, model.last - 1024, model.last + 2]
            where id > 0 {
                #expect(history.verdict(id) == model.verdict(id), "\(id) of \(model.last)")
            }
        }
        for id in max(1, model.last - 1100)...model.last + 4 {
            #expect(history.verdict(id) == model.verdict(id), "\(id) of \(model.last)")
        }
    }

    /// RFC 9113 §5.1.1: the first identifier that is used closes those below it; so does every other.
    @Test func closesWhatIsPassedOver() {
        var history = HTTP2StreamHistory()
        #expect(history.verdict(1) == .fine)
        history.open(5)
        #expect([1, 3, 5, 7].map { history.verdict($0) } == [.skipped, .skipped, .fine, .fine])
        // Streams of the server have even numbers, and no part in it.
        #expect(history.verdict(2) == .fine)
        history.open(9)
        #expect([5, 7, 9].map { history.verdict($0) } == [.fine, .skipped, .fine])
    }

    /// An identifier below the last one opens nothing.
    @Test func doesNotGoBack() {
        var history = HTTP2StreamHistory()
        history.open(9)
        history.open(3)
        #expect(history.last == 9)
        #expect(history.verdict(3) == .skipped)
    }

    /// An identifier's place is used again 512 streams later, and says nothing of the old one.
    @Test func forgetsWhatIsOld() {
        var history = HTTP2StreamHistory()
        history.open(1)
        history.end(1)
        #expect(history.verdict(1) == .ended)
        history.open(1 + 2 * 512)
        #expect(history.verdict(1) == .fine)
        #expect(history.verdict(3) == .skipped)
        #expect(history.verdict(1 + 2 * 512) == .fine)
    }
}
