import OpenCombine
import Synchronization

/// A subscriber that demands what a test says, and nothing before.
final class ManualSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct Held: @unchecked Sendable {
        var subscription: (any Subscription)?
    }

    private let held = Mutex(Held())
    private let arrivals = Arrivals()
    let heard = Recorder<Input, Failure>()

    func receive(subscription: any Subscription) {
        let new = Held(subscription: subscription)
        held.withLock { $0 = new }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        heard.receive(input)
        arrivals.add()
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        heard.receive(completion)
    }

    func request(_ demand: Subscribers.Demand) {
        held.withLock { $0 }.subscription?.request(demand)
    }

    func cancel() {
        held.withLock { $0 }.subscription?.cancel()
    }

    /// Waits until so many elements have come.
    func elements(_ count: Int) async -> [Input] {
        await arrivals.reach(count)
        return heard.elements
    }
}

/// A number that grows, and that one test waits for.
final class Arrivals: Sendable {
    private let state = Mutex<(count: Int, waiting: (Int, CheckedContinuation<Void, Never>)?)>((0, nil))

    func add() {
        let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count += 1
            guard let (wanted, waiter) = state.waiting, state.count >= wanted else { return nil }
            state.waiting = nil
            return waiter
        }
        ready?.resume()
    }

    func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count < count { state.waiting = (count, continuation) }
                return state.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}
