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

    /// Counters in memory of others go on where they were.
    @Test func countsInMemoryThatStays() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Epochs.byteCount, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Epochs.byteCount)
        let before = Epochs(in: memory).dependency(on: 77)
        Epochs(in: memory).invalidate(77)
        let epochs = Epochs(in: memory)
        #expect(!epochs.isCurrent(before))
        #expect(epochs.dependency(on: 77).epoch == before.epoch + 1)
    }
}
