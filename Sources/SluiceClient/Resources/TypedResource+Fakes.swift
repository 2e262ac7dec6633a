extension TypedResource {
    /// A resource that has content: for previews and tests.
    public static func fake(_ content: Content) -> TypedResource {
        let data = ResourceData(content: content, timestamp: .now)
        return TypedResource(
            fakeState: ResourceState(
                latestData: data, isUpToDate: true, timestamp: data.timestamp, event: .newData(.network)))
    }

    /// A resource that is loading, and will be.
    public static func fakeLoading() -> TypedResource {
        TypedResource(fakeState: ResourceState(isLoading: true, isRequesting: true, event: .requested))
    }

    /// A resource that has failed.
    public static func fakeFailure(_ error: CallError) -> TypedResource {
        TypedResource(fakeState: ResourceState(latestError: error, timestamp: .now, event: .error))
    }

    /// A resource whose content a function brings, from wherever: it loads, fails and ages like any other.
    public static func loading(
        freshness: ResourceFreshness = ResourceFreshness(),
        _ function: @escaping @Sendable () async throws -> Content
    ) -> TypedResource {
        let loader = ResourceLoader<Content> { (_, _) async throws(CallError) in
            do {
                let content = try await function()
                return .new(ResourceData(content: content, timestamp: .now), .network)
            } catch {
                throw CallError(sending: error)
            }
        }
        return TypedResource(loader, freshness, now: { .now })
    }
}
