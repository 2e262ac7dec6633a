/// What a property bound to a path holds, and what is happening to it.
public struct RestState<Value: Sendable>: Sendable {
    /// How the value came to be what it is.
    public enum Phase: Sendable {
        /// The program's own value: nothing was asked yet.
        case initial
        /// A call is on its way; the value is the one of before.
        case requesting
        /// The latest call that has ended has succeeded: the one that began last, whichever ended last. One that was
        /// cancelled does not count.
        case held
        /// The latest call has failed; the value is the one of before.
        case failed(CallError)
    }

    /// The value now.
    public internal(set) var value: Value
    /// What the calls have led to so far.
    public internal(set) var phase: Phase

    /// Why the latest call failed, if it did.
    public var error: CallError? {
        if case .failed(let error) = phase { error } else { nil }
    }

    /// Whether a call is on its way.
    public var isRequesting: Bool {
        if case .requesting = phase { true } else { false }
    }
}
