public import SluiceContract

/// A configuration as its author says it, in a file or in a program: without defaults, and without what is inherited.
public struct ConfigurationDeclaration: Sendable {
    /// nil is the usual one; in the list, what could not be read is nil.
    public var listeners: [ListenerDeclaration?]?
    /// Path of the socket of `sluice cache` and `sluice reload`.
    public var admin: String?
    /// Where metrics and health are told beside that.
    public var monitor: MonitorDeclaration?
    public var clients: [ClientDeclaration] = []
    public var credentials: [CredentialDeclaration] = []
    /// The folder where tokens are kept.
    public var state: String?
    public var stateKey: KeyFile?
    /// What else concerns the gateway as a whole, by its key.
    public var settings = Layer<Configuration>()
    public var types: [TypeDeclaration] = []
    /// `defaults:`.
    public var upstreamDefaults = Layer<Upstream>()
    public var bindingDefaults = Layer<Binding>()
    public var upstreams: [UpstreamDeclaration] = []
    public var bindings: [BindingDeclaration] = []
    /// Whether each binding is among them, be it with mistakes: what is not there is not bound.
    public var hasAllBindings = true
    /// Whether all of it could be read: what may follow from a slip is not told beside it.
    public var isWhole = true

    public init() {}

    /// A name of `types:`, and nil where its meaning could not be read.
    public struct TypeDeclaration: Sendable {
        public var name: String
        public var type: TypeExpression?

        public init(_ name: String, _ type: TypeExpression?) {
            self.name = name
            self.type = type
        }
    }
}
