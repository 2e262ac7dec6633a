internal import SluiceContract

/// One binding while it is made of what its author says and what it inherits. Each step is a ``BindingCheck``.
///
/// A class: it is large, and passes through two dozen checks.
final class BindingDraft {
    let declaration: BindingDeclaration
    let context: Context
    let scope: Scope
    /// The upstream's, unless `to:` names none.
    let upstream: Upstream?
    private(set) var paths = Paths.known
    var binding: Binding
    let typeCheck: TypeCheck
    /// Whether it has parts in the place of an upstream.
    let isComposed: Bool
    /// Whether its upstream has a rule for unknown parameters.
    let tellsUnknownParameters: Bool

    /// What all bindings see.
    struct Context {
        let types: TypeMeanings
        let upstreams: [String: Inherited]
        let upstreamNames: [String]
        let clientNames: [String]
        /// What a binding inherits that is made of others.
        let composed: Inherited
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
        isComposed = declaration.parts != .none
        let inherited =
            isComposed ? context.composed : declaration.target.flatMap { context.upstreams[$0.upstream] }
        upstream = isComposed ? nil : inherited?.upstream
        binding = inherited?.binding ?? .usual
        binding.upstream = inherited?.upstream.name ?? ""
        tellsUnknownParameters = inherited?.tellsUnknownParameters ?? false
    }

    func run() {
        for check in Self.checks { check(self) }
    }

    /// In this order: each may rely on what those before it have made of the binding.
    private static let checks: [@Sendable (BindingDraft) -> Void] = [
        BindingRouteCheck.run, BindingTargetCheck.run, BindingSettingsCheck.run, PartsCheck.run, BodyCheck.run,
        ParametersCheck.run, NullStyleCheck.run, ValueCheck.run, BindingDefaultCheck.run, KeepCheck.run,
        GraphQLCheck.run, PagesCheck.run, RowsCheck.run, LocalURLsCheck.run, UpgradeCheck.run, FixturesCheck.run,
        PlaceholderCheck.run, DriftCheck.run, NoValueCheck.run, EchoCheck.run, ReportedErrorCheck.run,
        RepetitionCheck.run, CacheCheck.run, WatchCheck.run,
    ]

    // MARK: - Its paths

    /// What is known of its paths. Placeholders of unknown ones are not looked at.
    enum Paths {
        case known
        /// The target is wrong.
        case targetUnknown
        /// The route is wrong, and cannot be compared with others.
        case routeUnknown
    }

    func loseRoute() { paths = .routeUnknown }

    func loseTarget() {
        switch paths {
        case .known: paths = .targetUnknown
        case .targetUnknown, .routeUnknown: break
        }
    }

    // MARK: - What others ask

    /// Whether the body that goes upstream is JSON made by the gateway.
    var sendsJSON: Bool {
        if isComposed { return false }
        if case .json = binding.body { return true }
        return binding.parameters.contains { $0.location == .body && !$0.isFixed } || addsToNothing
    }

    /// Whether fixed parameters alone make the body.
    private var addsToNothing: Bool {
        binding.body == .passThrough && binding.parameters.contains(where: \.isBodyMember)
    }

    /// Whether `params:` names it, be it with a type that could not be read.
    func isDeclared(_ name: String) -> Bool {
        declaration.parameters.contains { $0.name == name }
    }

    var hasValue: Bool { binding.value != nil || !binding.valueByStatus.isEmpty }
}
