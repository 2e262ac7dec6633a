/// How endpoints are asked whether they are well (`health:`); every event loop asks for itself.
public struct HealthPolicy: Hashable, Sendable {
    /// Path of the question, from the origin's root; a 2xx or 3xx answer is healthy.
    public var path: String
    public var every: Duration = .seconds(5)
    /// For connection and answer together.
    public var timeout: Duration = .seconds(1)
    /// Healthy answers in a row that bring an endpoint back.
    public var healthy = 2
    /// Failures in a row that take it out.
    public var unhealthy = 3

    public init(path: String) {
        self.path = path
    }
}
