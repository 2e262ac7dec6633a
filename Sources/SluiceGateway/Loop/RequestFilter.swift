internal import SluiceContract

/// Which finished requests a follower wants to see; nil matches all.
struct RequestFilter: Hashable, Sendable {
    /// A prefix of the target, the binding or the binding's path.
    var beginning: String?
    /// The whole name of a binding.
    var binding: String?
    var problem: ProblemChoice?
    /// The least time that the request took.
    var nanosecondsMin: UInt64 = 0
    var status: ClosedRange<Int>?

    enum ProblemChoice: Hashable, Sendable {
        case any
        case kind(Problem.Kind)
    }

    func takes(_ entry: borrowing AccessEntry) -> Bool {
        if entry.nanoseconds < nanosecondsMin { return false }
        if let status, !status.contains(entry.status) { return false }
        switch problem {
        case nil: break
        case .any?: if entry.problem == nil { return false }
        case .kind(let kind)?: if entry.problem != kind { return false }
        }
        if let binding, entry.binding != binding { return false }
        guard let beginning else { return true }
        if entry.target.starts(with: beginning.utf8) { return true }
        guard let name = entry.binding else { return false }
        return name.hasPrefix(beginning) || name.drop { $0 != " " }.dropFirst().hasPrefix(beginning)
    }
}
