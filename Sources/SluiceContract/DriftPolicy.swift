/// `drift:` of a binding: what is noticed in answers that are of their types.
public struct DriftPolicy: Hashable, Sendable {
    public var notice: [Notice] = Notice.allCases
    /// The time between two answers that are looked at.
    public var every: Duration = .seconds(60)

    public init() {}

    public enum Notice: String, Hashable, Sendable, CaseIterable {
        /// Keys that the type does not name.
        case newKeys = "new-keys"
        /// Strings that a set that may grow (`red | green | …`) does not have yet.
        case unknownCases = "unknown-cases"
    }
}

/// `on-drift:`: what is answered where the upstream's value is not of its type.
public enum DriftAnswer: String, Hashable, Sendable, CaseIterable {
    /// A problem, or what `serve:` has in its place.
    case fail
    /// The value as the upstream wrote it: the type says what is noticed, and holds nothing back.
    case pass
    /// `default:`, whatever `serve:` says.
    case `default`
}
