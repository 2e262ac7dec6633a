/// Connecting to a host with several addresses (RFC 8305), without sockets: addresses are indices into the list of the
/// resolver, which getaddrinfo has sorted by preference (RFC 6724).
///
/// Events go in, and ``next()`` returns orders until it has none:
///
///     resolved ─▶ start first ─┬─ failed ──▶ start the next at once, or fail when none is left or running
///                              ├─ timer ───▶ start the next beside it
///                              └─ succeeded ▶ cancel the others, done
public struct HappyEyeballs {
    public enum Order: Hashable, Sendable {
        case startAttempt(Int)
        /// Call ``timerFired(at:)`` at this time; replaces any earlier time.
        case armTimer(UInt64)
        case cancelTimer
        case cancelAttempt(Int)
        /// The attempt to keep; the machine is done.
        case succeeded(Int)
        /// All attempts failed; the error number of the last one. The machine is done.
        case failed(Int32)
    }

    /// "Connection Attempt Delay" (RFC 8305 §8), in nanoseconds.
    public static let attemptDelay: UInt64 = 250_000_000

    private enum Attempt: Hashable {
        case waiting, running, over
    }

    /// Addresses in the order in which they are tried.
    private var queue: [Int] = []
    private var attempts: [Attempt] = []
    private var orders: [Order] = []
    private var nextOrder = 0
    private var deadline: UInt64?
    private var lastError: Int32 = 0
    public private(set) var isDone = false

    public init() {}

    /// The next order; nil where there is none before the next event.
    public mutating func next() -> Order? {
        guard nextOrder < orders.count else {
            orders.removeAll(keepingCapacity: true)
            nextOrder = 0
            return nil
        }
        nextOrder += 1
        return orders[nextOrder - 1]
    }

    /// The addresses are known; `isIPv6` gives the family of each.
    /// - Parameter error: what to fail with where there are no addresses.
    public mutating func resolved(isIPv6: [Bool], noAddressError error: Int32, at now: UInt64) {
        guard !isDone else { return }
        precondition(attempts.isEmpty, "the addresses of a connection come once")
        lastError = error
        queue = Self.interleave(isIPv6)
        attempts = Array(repeating: .waiting, count: queue.count)
        startNext(at: now)
    }

    /// Attempt `index` failed; one that was cancelled may still report it.
    public mutating func attemptFailed(_ index: Int, error: Int32, at now: UInt64) {
        guard !isDone, attempts[index] == .running else { return }
        attempts[index] = .over
        lastError = error
        // RFC 8305 §5: the delay is over as soon as the attempt before has failed.
        startNext(at: now)
    }

    /// Attempt `index` is connected; after the first, every other is cancelled.
    public mutating func attemptSucceeded(_ index: Int) {
        guard !isDone else { return }
        attempts[index] = .over
        finish()
        orders.append(.succeeded(index))
    }

    /// The timer fired; one that fires early or was cancelled changes nothing.
    public mutating func timerFired(at now: UInt64) {
        guard !isDone, let deadline, now >= deadline else { return }
        startNext(at: now)
    }

    /// The connection is not wanted any more, or took too long.
    public mutating func abandon() {
        guard !isDone else { return }
        finish()
    }

    private mutating func startNext(at now: UInt64) {
        guard let index = queue.first else {
            deadline.map { _ in orders.append(.cancelTimer) }
            deadline = nil
            guard !attempts.contains(.running) else { return }
            isDone = true
            orders.append(.failed(lastError))
            return
        }
        queue.removeFirst()
        attempts[index] = .running
        orders.append(.startAttempt(index))
        if !queue.isEmpty {
            deadline = now + Self.attemptDelay
            orders.append(.armTimer(now + Self.attemptDelay))
        } else if deadline != nil {
            deadline = nil
            orders.append(.cancelTimer)
        }
    }

    private mutating func finish() {
        isDone = true
        if deadline != nil { orders.append(.cancelTimer) }
        deadline = nil
        for index in attempts.indices where attempts[index] == .running {
            attempts[index] = .over
            orders.append(.cancelAttempt(index))
        }
    }

    /// RFC 8305 §4: the family of the first address leads, then the families take turns.
    private static func interleave(_ isIPv6: [Bool]) -> [Int] {
        var leading = isIPv6.indices.filter { isIPv6[$0] == isIPv6[0] }[...]
        var other = isIPv6.indices.filter { isIPv6[$0] != isIPv6[0] }[...]
        var order: [Int] = []
        while order.count < isIPv6.count {
            if let index = leading.popFirst() { order.append(index) }
            if let index = other.popFirst() { order.append(index) }
        }
        return order
    }
}
