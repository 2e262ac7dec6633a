public import SluiceContract

/// An upstream as its author says it, without what it inherits.
public struct UpstreamDeclaration: Sendable {
    public var name: String
    /// nil where one could not be read.
    public var endpoints: [Endpoint?]
    /// What it says of itself, by its key.
    public var settings = Layer<Upstream>()
    /// What its bindings inherit.
    public var bindings = Layer<Binding>()

    public init(_ name: String, _ endpoints: [Endpoint?]) {
        self.name = name
        self.endpoints = endpoints
    }

    /// One URL of `url:`.
    public struct Endpoint: Hashable, Sendable {
        public var origin: Upstream.Origin
        /// Without a trailing slash; may be empty.
        public var basePath: String

        public init(_ origin: Upstream.Origin, basePath: String = "") {
            self.origin = origin
            self.basePath = basePath
        }
    }
}
