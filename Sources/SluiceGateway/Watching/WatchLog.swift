/// What the watchers of one value are told: the value, the changes before it, and its status. A struct, so that loops
/// can send it to each other.
struct WatchLog: Sendable {
    let epoch: UInt64
    /// Of the latest change; 0 where there is no value yet.
    private(set) var number: UInt64 = 0
    /// The whole value.
    private(set) var latest: WatchEvent?
    /// The event of the value's status, such as loading, stale or failed; nil where all is well.
    private(set) var status: WatchEvent?
    private(set) var statusSerial: UInt32 = 0
    /// The last changes, with the latest one at the end.
    private var changes: [WatchEvent] = []
    private var changeBytes = 0
    /// The latest change, for watchers that have the value before it, even where no changes are kept for reconnecting
    /// clients.
    private var lastChange: WatchEvent?
    private let changesMax: Int
    private let bytesMax: Int

    /// What one client has been told.
    struct Position: Equatable {
        /// The last change; nil where it knows no value.
        var number: UInt64?
        var statusSerial: UInt32 = 0
        /// It has reconnected, and gets each change that it has missed.
        var isResuming = false
    }

    /// What a client is told next.
    struct Step {
        var event: WatchEvent
        /// Changes that it is not told one by one.
        var skipped: UInt64 = 0
    }

    init(epoch: UInt64, changesMax: Int, bytesMax: Int) {
        (self.epoch, self.changesMax, self.bytesMax) = (epoch, changesMax, bytesMax)
    }

    // MARK: - What happens

    /// The identifier of the next change.
    var nextID: WatchID { WatchID(epoch: epoch, number: number + 1) }

    /// - Parameters:
    ///   - change: the event of it, with ``nextID``.
    ///   - whole: the event of the whole value, which may be the same.
    mutating func add(_ change: WatchEvent, whole: WatchEvent) {
        number += 1
        latest = whole
        lastChange = change
        changes.append(change)
        changeBytes += change.count
        while changes.count > changesMax || changeBytes > bytesMax, let first = changes.first {
            changeBytes -= first.count
            changes.removeFirst()
        }
        // A new value implies that all is well.
        tell(nil)
    }

    /// - Parameter status: nil where there is nothing to say any more.
    mutating func tell(_ status: WatchEvent?) {
        self.status = status
        statusSerial &+= 1
    }

    /// Bytes that are kept.
    var byteCount: Int {
        var count = changeBytes + (status?.count ?? 0)
        if let lastChange, changes.last !== lastChange { count += lastChange.count }
        if let latest, latest !== lastChange { count += latest.count }
        return count
    }

    /// Drops the changes that are kept for clients that reconnect.
    mutating func forgetChanges() { (changes, changeBytes) = ([], 0) }

    // MARK: - What a client is told

    /// Where a client that has seen this change goes on; nil where too many changes have followed, or the log does not
    /// know it.
    func position(after id: WatchID) -> Position? {
        guard id.epoch == epoch, id.number <= number, number - id.number <= UInt64(changes.count) else { return nil }
        return Position(number: id.number, isResuming: id.number < number)
    }

    /// The next event for a client; nil where it has been told all. A client that has missed several changes gets the
    /// latest value instead, unless it has reconnected.
    func next(_ position: inout Position) -> Step? {
        guard let latest, position.number != number else {
            guard position.statusSerial != statusSerial else { return nil }
            position.statusSerial = statusSerial
            return status.map { Step(event: $0) }
        }
        let missed = position.number.map { number - $0 } ?? 1
        if let seen = position.number, missed == 1 || position.isResuming, let change = change(seen + 1) {
            position.number = seen + 1
            if seen + 1 == number { position.isResuming = false }
            return Step(event: change)
        }
        position.number = number
        position.isResuming = false
        return Step(event: latest, skipped: missed - 1)
    }

    private func change(_ number: UInt64) -> WatchEvent? {
        if number == self.number { return lastChange }
        let back = self.number - number
        return back < UInt64(changes.count) ? changes[changes.count - 1 - Int(back)] : nil
    }
}
