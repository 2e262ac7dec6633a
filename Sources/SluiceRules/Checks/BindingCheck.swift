public import SluiceContract

/// One binding while it is made of what its author says and what it inherits; each step is a file of its own.
struct BindingCheck {
    let declaration: BindingDeclaration
    let context: Context
    let scope: Scope
    /// The upstream's, unless `to:` names none.
    let upstream: Upstream?
    /// False where the route or the target is wrong: their placeholders are not looked at then.
    var hasPaths = true
    /// Whether its route can be compared with others.
    var hasRoute = true
    var binding: Binding
    let typeCheck: TypeCheck

    /// What all bindings see.
    struct Context {
        let types: TypeMeanings
        let upstreams: [String: Inherited]
        let upstreamNames: [String]
        let clientNames: [String]
    }

    /// An upstream with what its bindings inherit.
    struct Inherited {
        var upstream: Upstream
        /// A binding that says nothing.
        var binding: Binding
        /// Whether that holds a rule for unknown parameters, which else depends on the paths.
        var tellsUnknownParameters: Bool
    }

    var types: TypeMeanings { context.types }
    var own: Layer<Binding> { declaration.settings }

    init(_ declaration: BindingDeclaration, _ context: Context, _ typeCheck: TypeCheck, _ scope: Scope) {
        self.declaration = declaration
        self.context = context
        self.typeCheck = typeCheck
        self.scope = scope
        let inherited = declaration.target.flatMap { context.upstreams[$0.upstream] }
        upstream = inherited?.upstream
        binding = inherited?.binding ?? .usual
        binding.upstream = upstream?.name ?? ""
        tellsUnknownParameters = inherited?.tellsUnknownParameters ?? false
    }

    private let tellsUnknownParameters: Bool

    mutating func run() {
        checkRoute()
        checkTarget()
        applySettings()
        checkBody()
        checkParameters()
        checkValue()
        checkDefault()
        checkKeep()
        checkGraphQL()
        checkPages()
        checkRows()
        checkLocalURLs()
        checkUpgrade()
        checkPaths()
        checkCombinations()
    }

    private mutating func applySettings() {
        binding.keys = upstream?.keys ?? .verbatim
        // What a binding says of these, it says on top of its upstream.
        if own.says("timeout") { binding.timeout = upstream?.timeout ?? UpstreamTimeouts() }
        if own.says("error") {
            binding.error = upstream?.error ?? ErrorPaths()
            binding.reportedError = upstream?.reportedError ?? ReportedError()
        }
        binding.add(own, scope)
        if !own.tells("unknown-params") {
            if !tellsUnknownParameters { binding.unknownParameters = binding.path.hasRest ? .pass : .reject }
            // What lies below a `**` is the upstream's own affair, its query included.
            if binding.upstreamPath.hasRest { binding.unknownParameters = .pass }
        }
        if let grants = binding.grants, own.tells("allow") { grants.check(scope / "allow", context.clientNames) }
    }

    /// Whether the body that goes upstream is JSON made by the gateway.
    var sendsJSON: Bool {
        if case .json = binding.body { return true }
        return binding.parameters.contains { $0.location == .body && !$0.isFixed } || addsToNothing
    }

    /// Whether fixed parameters alone make the body.
    private var addsToNothing: Bool {
        binding.body == .passThrough && binding.parameters.contains(where: \.isBodyMember)
    }

    var hasValue: Bool { binding.value != nil || !binding.valueByStatus.isEmpty }
}

extension Binding {
    /// `error:`.
    public var errors: ErrorSettings {
        get {
            ErrorSettings(
                all: error ?? ErrorPaths(), byStatus: errorByStatus, reported: reportedError ?? ReportedError())
        }
        set { (error, errorByStatus, reportedError) = (newValue.all, newValue.byStatus, newValue.reported) }
    }
}
