/// Which owners have to check the time, and when: one time for each.
struct AlarmClock<Owner: AnyObject & Sendable>: Sendable {
    private var alarms: [ObjectIdentifier: (owner: Owner, due: UInt64)] = [:]
    /// When the next owner is due; `.max` if none is. Never too late.
    private(set) var next = UInt64.max

    /// - Returns: whether that is sooner than anybody was due before.
    mutating func set(_ owner: Owner, at due: UInt64) -> Bool {
        alarms[ObjectIdentifier(owner)] = (owner, due)
        guard due < next else { return false }
        next = due
        return true
    }

    /// Removes the owners that are due.
    mutating func due(at now: UInt64) -> [Owner] {
        guard next <= now else { return [] }
        let owners = alarms.values.filter { $0.due <= now }.map(\.owner)
        for owner in owners { alarms[ObjectIdentifier(owner)] = nil }
        next = alarms.values.map(\.due).min() ?? .max
        return owners
    }
}
