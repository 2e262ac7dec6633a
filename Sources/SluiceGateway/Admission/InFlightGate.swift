internal import SluiceContract
internal import Synchronization

/// Counts the requests in flight at one binding or upstream, over all loops; those beyond the limit wait, first in,
/// first out, whichever loop they are on.
///
/// No thread waits: one compare-exchange on the way in and one on the way out. The queue has a lock, and its length is
/// in the same word as the count, so that no request overtakes the queue.
final class InFlightGate: Sendable {
    let limit: ConcurrencyLimit
    let waitNanoseconds: UInt64
    /// The number in flight, and in the upper half the number that wait; the upper half changes only under the lock of
    /// the queue.
    private let word = Atomic<UInt64>(0)
    private let queue = Mutex<[GateTicket]>([])

    private static let one: UInt64 = 1
    private static let oneWaiting: UInt64 = 1 << 32
    private static let inFlightMask: UInt64 = (1 << 32) - 1

    init(_ limit: ConcurrencyLimit) {
        self.limit = limit
        waitNanoseconds = limit.wait.nanosecondsClamped
    }

    /// Requests in flight now.
    var inFlight: Int { Int(word.load(ordering: .relaxed) & Self.inFlightMask) }
    /// Requests that wait now.
    var waiting: Int { Int(word.load(ordering: .relaxed) >> 32) }

    /// - Returns: whether there was room at once.
    func enter() -> Bool {
        var seen = word.load(ordering: .relaxed)
        while seen < UInt64(limit.limit) {
            let (exchanged, original) = word.weakCompareExchange(
                expected: seen, desired: seen + Self.one, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            seen = original
        }
        return false
    }

    enum Place {
        /// There is room after all.
        case entered
        case queued
        case full
    }

    /// Puts a ticket into the queue.
    func queue(_ ticket: GateTicket) -> Place {
        queue.withLock { queue in
            guard queue.count < limit.queue else { return enter() ? .entered : .full }
            // Checked and counted in one step: otherwise the last request in flight could leave in between without
            // waking the next.
            var seen = word.load(ordering: .relaxed)
            while true {
                let hasRoom = seen < UInt64(limit.limit)
                let (exchanged, original) = word.weakCompareExchange(
                    expected: seen, desired: seen + (hasRoom ? Self.one : Self.oneWaiting),
                    ordering: .acquiringAndReleasing)
                if exchanged {
                    if hasRoom { return .entered }
                    queue.append(ticket)
                    return .queued
                }
                seen = original
            }
        }
    }

    /// A request has ended.
    /// - Returns: the next in the queue, which is counted already.
    func leave() -> GateTicket? {
        var seen = word.load(ordering: .relaxed)
        while seen >> 32 == 0 {
            let (exchanged, original) = word.weakCompareExchange(
                expected: seen, desired: seen - Self.one, ordering: .acquiringAndReleasing)
            if exchanged { return nil }
            seen = original
        }
        return queue.withLock { queue in
            // The requests that waited may have given up since.
            guard !queue.isEmpty else {
                word.subtract(Self.one, ordering: .acquiringAndReleasing)
                return nil
            }
            word.subtract(Self.oneWaiting, ordering: .acquiringAndReleasing)
            return queue.removeFirst()
        }
    }

    /// A waiting request gives up.
    /// - Returns: false where it has been admitted meanwhile.
    func cancel(_ ticket: GateTicket) -> Bool {
        queue.withLock { queue in
            guard let index = queue.firstIndex(where: { $0 === ticket }) else { return false }
            queue.remove(at: index)
            word.subtract(Self.oneWaiting, ordering: .acquiringAndReleasing)
            return true
        }
    }
}
