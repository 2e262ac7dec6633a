import Synchronization

/// A sequence that loads: its latest element is the content.
public final class LoadableSequence<Content: Sendable>: Loadable {
    private let channel = StateChannel(SimpleLoadableState<Content>())
    private let running = Mutex<Task<Void, Never>?>(nil)
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
        loadIfNeeded()
        return channel.states()
    }

    public var isReloadable: Bool { true }

    public func loadIfNeeded() {
        begin { $0.content == nil && $0.latestError == nil && !$0.isLoading }
    }

    public func load() {
        begin { _ in true }
    }

    /// Begins to follow the sequence; what was followed before is let go. The old content stays until there is new one.
    private func begin(if isWanted: (SimpleLoadableState<Content>) -> Bool) {
        running.withLock { running in
            let begins = channel.update { state in
                guard isWanted(state) else { return false }
                state.isLoading = true
                return true
            }
            guard begins else { return }
            running?.cancel()
            running = Task { [channel, follow] in await Self.run(channel, follow) }
        }
    }

    private static func run(
        _ channel: StateChannel<SimpleLoadableState<Content>>,
        _ follow: @Sendable (_ tell: @Sendable (Content) -> Void) async throws -> Void
    ) async {
        do {
            try await follow { content in
                if !Task.isCancelled { channel.update { $0 = SimpleLoadableState(content: content) } }
            }
            if !Task.isCancelled { channel.update { $0.isLoading = false } }
        } catch  where Task.isCancelled {
            // Another load has begun, and says what the state is.
        } catch {
            let error = CallError(sending: error)
            channel.update { state in
                state.isLoading = false
                state.latestError = error
            }
        }
    }

    deinit {
        running.withLock { $0?.cancel() }
    }
}
