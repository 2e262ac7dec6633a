public import SluiceContract

/// A binding as its author says it, without what it inherits. What could not be read is nil; that is told already.
public struct BindingDeclaration: Sendable {
    /// As findings call it: `GET /fruits/{id}`.
    public var name: String
    /// Empty for `ANY`.
    public var methods: [String]
    public var path: PathTemplate?
    public var target: Target?
    /// `parts:`, in the place of a target.
    public var parts: Parts = .none
    public var parameters: [ParameterDeclaration] = []
    /// Everything else, by its key.
    public var settings = Layer<Binding>()
    /// Whether all of it could be read, with the parameters that it shares with others.
    public var isWhole = true

    public init(_ name: String, methods: [String] = [], path: PathTemplate? = nil, target: Target? = nil) {
        self.name = name
        self.methods = methods
        self.path = path
        self.target = target
    }

    /// `parts:`.
    public enum Parts: Hashable, Sendable {
        case none
        case composed(Composition)
        /// Some part could not be read, which is told.
        case unread
    }

    /// `to:`.
    public struct Target: Hashable, Sendable {
        public var upstream: String
        /// Where it is another than the client's.
        public var method: String?
        public var path: PathTemplate?

        public init(_ upstream: String, method: String? = nil, path: PathTemplate?) {
            self.upstream = upstream
            self.method = method
            self.path = path
        }
    }
}

/// A parameter as its author says it; nil is left to where it belongs by default.
public struct ParameterDeclaration: Sendable {
    public var name: String
    /// nil where it could not be read.
    public var type: TypeExpression?
    public var location: Parameter.Location?
    public var upstreamName: String?
    /// JSON text.
    public var defaultJSON: String?
    /// JSON text of a value that may be asked for.
    public var exampleJSON: String?
    /// JSON text of its only value.
    public var fixedJSON: String?
    /// Where its only value comes from.
    public var fixedSource: TokenSource?
    public var style: Parameter.ListStyle?
    public var null: Parameter.NullStyle?

    public init(_ name: String, _ type: TypeExpression?) {
        self.name = name
        self.type = type
    }
}
