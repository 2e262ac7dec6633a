/// Something that loads, with its content seen as something else.
public struct MappedLoadable<Base: Loadable, Content: Sendable>: Loadable {
    let base: Base
    let transform: @Sendable (Base.Content) -> Content?

    public var state: SimpleLoadableState<Content> { mapped(base.state) }

    public var states: AsyncStream<SimpleLoadableState<Content>> {
        AsyncStream.fed { [self] yield in
            for await state in base.states { yield(mapped(state)) }
        }
    }

    public var isReloadable: Bool { base.isReloadable }

    public func loadIfNeeded() { base.loadIfNeeded() }

    public func load() { base.load() }

    private func mapped(_ state: Base.State) -> SimpleLoadableState<Content> {
        SimpleLoadableState(
            isLoading: state.isLoading, content: state.content.flatMap(transform), latestError: state.latestError)
    }
}

extension Loadable {
    /// The same, with its content seen as something else: one user out of all, say. Where `transform` returns nil,
    /// there is no content.
    public func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Content) -> Other?
    ) -> MappedLoadable<Self, Other> {
        MappedLoadable(base: self, transform: transform)
    }
}

extension AsyncStream where Element: Sendable {
    /// A stream of the values of a task: a slow reader gets the newest. It ends with the task, and the task with it.
    static func fed(
        _ body: @escaping @Sendable (_ yield: @escaping @Sendable (Element) -> Void) async -> Void
    ) -> AsyncStream {
        let (stream, continuation) = makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            await body { continuation.yield($0) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
