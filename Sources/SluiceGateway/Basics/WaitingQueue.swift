/// Fetches that wait for a connection, first in, first out.
struct WaitingQueue<Waiter: AnyObject> {
    private var waiters: [Waiter] = []
    private var head = 0

    var count: Int { waiters.count - head }

    mutating func append(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func popFirst() -> Waiter? {
        guard head < waiters.count else { return nil }
        let next = waiters[head]
        head += 1
        if head == waiters.count || head > 64 {
            waiters.removeFirst(head)
            head = 0
        }
        return next
    }

    /// Removes a waiter that has given up.
    mutating func leave(_ waiter: Waiter) {
        guard let index = waiters[head...].firstIndex(where: { $0 === waiter }) else { return }
        waiters.remove(at: index)
    }

    mutating func removeAll() -> [Waiter] {
        defer {
            waiters = []
            head = 0
        }
        return Array(waiters[head...])
    }
}
