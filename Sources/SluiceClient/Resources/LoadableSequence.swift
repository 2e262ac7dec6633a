/// A sequence that loads: its latest element is the content.
///
/// It is followed while ``states`` is iterated, and from ``load()`` or ``loadIfNeeded()`` on to its end.
public final class LoadableSequence<Content: Sendable>: Loadable {
    private enum Following: Sendable {
        /// It was not begun, or has ended.
        case none
        /// The last iterating caller left before its end.
        case stopped
        case going(Task<Void, Never>, number: UInt64, isKept: Bool)
    }

    private struct Whole: Sendable {
        var following = Following.none
        var latest: UInt64 = 0
        var watchers = 0

        func isGoing(_ number: UInt64) -> Bool {
            if case .going(_, number, _) = following { true } else { false }
        }
    }

    private let channel = StateChannel(SimpleLoadableState<Content>())
    private let whole = Locked(Whole())
    private let follow: @Sendable (_ tell: @Sendable (Content) -> Void) async throws -> Void

    /// - Parameter sequence: Makes the sequence anew for each load.
    public init<Elements: AsyncSequence & SendableMetatype>(_ sequence: @escaping @Sendable () -> Elements)
    where Elements.Element == Content, Elements.AsyncIterator: SendableMetatype {
        follow = { tell in
            for try await element in sequence() { tell(element) }
        }
    }

    public var state: SimpleLoadableState<Content> { channel.state }

    public var states: AsyncStream<SimpleLoadableState<Content>> {
        whole.withLock { $0.watchers += 1 }
        begin(ifNeeded: true, isKept: false)
        // An iterating caller keeps it alive.
        return channel.states { self.watcherLeft() }
    }

    public var isReloadable: Bool { true }

    public func loadIfNeeded() {
        begin(ifNeeded: true, isKept: true)
    }

    public func load() {
        begin(ifNeeded: false, isKept: true)
    }

    /// Begins to follow the sequence; what was followed before is let go. The old content stays until there is new one.
    private func begin(ifNeeded: Bool, isKept: Bool) {
        let old: Task<Void, Never>? = whole.withLock { whole in
            var old: Task<Void, Never>?
            switch whole.following {
            case .going(let task, let number, let wasKept):
                if ifNeeded {
                    whole.following = .going(task, number: number, isKept: wasKept || isKept)
                    return nil
                }
                old = task
            case .none:
                let state = channel.state
                if ifNeeded, state.content != nil || state.latestError != nil { return nil }
            case .stopped: break
            }
            whole.latest += 1
            let number = whole.latest
            channel.update { $0.isLoading = true }
            let task = Task { [channel, follow, others = self.whole] in
                await Self.run(number, others, channel, follow)
            }
            whole.following = .going(task, number: number, isKept: isKept)
            return old
        }
        old?.cancel()
    }

    /// What a load brings is taken as long as it is the one that is followed.
    private static func run(
        _ number: UInt64, _ whole: Locked<Whole>, _ channel: StateChannel<SimpleLoadableState<Content>>,
        _ follow: @Sendable (_ tell: @Sendable (Content) -> Void) async throws -> Void
    ) async {
        var failure: CallError?
        do {
            try await follow { content in
                // The state before is released without the lock: content may have an end of its own.
                _ = whole.withLock { whole in
                    whole.isGoing(number) ? channel.update { $0 = SimpleLoadableState(content: content) } : nil
                }
            }
        } catch {
            failure = CallError(sending: error)
        }
        _ = whole.withLock { [failure] whole -> SimpleLoadableState<Content>? in
            guard whole.isGoing(number) else { return nil }
            whole.following = .none
            return channel.update { state in
                state.isLoading = false
                if let failure { state.latestError = failure }
            }
        }
    }

    private func watcherLeft() {
        let ended: Task<Void, Never>? = whole.withLock { whole in
            whole.watchers -= 1
            guard whole.watchers == 0, case .going(let task, _, isKept: false) = whole.following else { return nil }
            whole.following = .stopped
            channel.update { $0.isLoading = false }
            return task
        }
        ended?.cancel()
    }

    deinit {
        if case .going(let task, _, _) = whole.withLock({ $0.following }) { task.cancel() }
    }
}
