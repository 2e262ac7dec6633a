/// `then:` of a binding that changes something: what its success means for answers that are stored.
public struct AfterWrite: Hashable, Sendable {
    /// Names of bindings whose stored answers are of no more use: `GET /fruits`.
    public var invalidate: [String] = []
    /// The same of all bindings whose `cache:` has one of these.
    public var tags: [String] = []
    /// The name of the binding whose stored answer the written value becomes: `GET /fruits/{id}`.
    public var update: String?

    public init() {}

    public static let namesMax = 64
}
