import Synchronization
import Testing

@testable import SluiceCache

@Suite struct EpochsTests {
    @Test func whatDependsIsOfNoMoreUse() {
        let epochs = Epochs()
        let (first, second) = (epochs.dependency(on: 1), epochs.dependency(on: 2))
        epochs.invalidate(1)
        #expect(!epochs.isCurrent(first))
        #expect(epochs.isCurrent(second))
        #expect(epochs.isCurrent(epochs.current(first.slot)))
    }

    /// RFC 9875 §3: what only the head of an answer names may have changed since its request.
    @Test func whatChangedSinceIsNotCurrent() {
        let epochs = Epochs()
        let moment = epochs.moment
        #expect(epochs.isCurrent(epochs.dependency(on: 1, since: moment)))
        epochs.invalidate(1)
        #expect(!epochs.isCurrent(epochs.dependency(on: 1, since: moment)))
        #expect(epochs.isCurrent(epochs.dependency(on: 2, since: moment)))
        #expect(epochs.isCurrent(epochs.dependency(on: 1, since: epochs.moment)))
    }

    /// Counting costs no more for what was counted before: who meets a shared store first counts every slot.
    @Test func manyCountsAreRecorded() {
        let recorded = Atomic<Int>(0)
        let epochs = Epochs { _, _ in recorded.add(1, ordering: .relaxed) }
        epochs.observe { _ in recorded.add(1, ordering: .relaxed) }
        for slot in 0..<UInt32(Epochs.slotCount) * 3 { epochs.count(slot % UInt32(Epochs.slotCount)) }
        for hash in 0..<100_000 { epochs.invalidate(UInt64(hash)) }
        #expect(recorded.load(ordering: .relaxed) == 3 * Epochs.slotCount + 200_000)
    }

    /// Who is told is told before the count changes, and not of what others counted.
    @Test func anObserverIsTold() {
        let epochs = Epochs()
        let told = Mutex<[UInt32]>([])
        let dependency = epochs.dependency(on: 5)
        epochs.observe { slot in
            #expect(epochs.isCurrent(dependency))
            told.withLock { $0.append(slot) }
        }
        epochs.invalidate(5)
        epochs.count(9)
        #expect(told.withLock { $0 } == [Epochs.slot(5)])
    }

    /// Counters go on where those of an earlier process have stopped, as they were recorded.
    @Test func countsThatGoOn() {
        let recorded = Mutex([UInt32](repeating: 0, count: Epochs.slotCount))
        let first = Epochs { slot, count in recorded.withLock { $0[Int(slot)] = count } }
        let before = first.dependency(on: 77)
        first.invalidate(77)
        first.count(5)
        let second = Epochs(counts: recorded.withLock { $0 })
        #expect(!second.isCurrent(before))
        #expect(second.isCurrent(first.dependency(on: 77)))
        #expect(second.current(5).epoch == 1)
    }

    /// Counted by several at a time, the last that is recorded is the latest.
    @Test func theLatestIsRecordedLast() async {
        let recorded = Mutex<UInt32>(0)
        let epochs = Epochs { _, count in recorded.withLock { $0 = count } }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<500 { epochs.count(3) } } }
        }
        #expect(recorded.withLock { $0 } == 2000)
    }
}
