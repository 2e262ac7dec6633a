/// Where a resource's content comes from.
struct ResourceLoader<Content: Sendable>: Sendable {
    /// What a load has brought.
    enum Outcome: Sendable {
        case new(ResourceData<Content>, ResourceEvent.Source)
        case notModified(ContinuousClock.Instant)
    }

    /// Asks for the content and tells the progress.
    let load: @Sendable (ResourceLoad, @escaping @Sendable (LoadProgress) -> Void) async throws(CallError) -> Outcome
}
