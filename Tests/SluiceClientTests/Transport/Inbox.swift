import Dispatch

@testable import SluiceClient

/// Things that one side puts in, and the other waits for.
final class Inbox<Thing: Sendable>: Sendable {
    private let things = Locked<[Thing]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ thing: Thing) {
        things.withLock { $0.append(thing) }
        count.signal()
    }

    /// For threads.
    @discardableResult
    func wait() -> Thing {
        count.wait()
        return things.withLock { $0.removeFirst() }
    }

    /// For tasks: waits on a thread of its own.
    @discardableResult
    func take() async -> Thing {
        await withCheckedContinuation { continuation in
            ScriptedGateway.thread { continuation.resume(returning: self.wait()) }
        }
    }
}
