public import SluiceContract
internal import SluiceJSON

extension ConfigurationDeclaration {
    /// What came of looking at a declaration.
    public struct Checked: Sendable {
        /// With every default, and what is inherited. It can be served where there are no mistakes.
        public var configuration: Configuration
        public var findings: [Finding]

        public var mistakes: [Finding] { findings.filter { $0.severity == .mistake } }
    }

    /// Fills in defaults and what is inherited, and looks for everything that is wrong.
    ///
    /// Complexity: linear in what is declared.
    public func checked() -> Checked {
        var check = ConfigurationCheck(self)
        check.run()
        return Checked(configuration: check.configuration, findings: check.log.findings)
    }
}

/// A configuration while it is made of its declaration.
struct ConfigurationCheck {
    let declaration: ConfigurationDeclaration
    let log: FindingLog
    private(set) var configuration = Configuration()
    private let root: Scope
    private var reading = CompositionsCheck.Reading()
    private var clientNames: [String] { configuration.clients.map(\.name) }

    init(_ declaration: ConfigurationDeclaration) {
        self.declaration = declaration
        log = FindingLog(hasMistakes: !declaration.isWhole)
        root = Scope(path: ConfigurationPath(), log: log)
    }

    mutating func run() {
        var gateway = GatewayCheck(declaration, root)
        gateway.run()
        configuration = gateway.configuration
        let types = checkTypes()
        let typeCheck = TypeCheck(types)
        for type in declaration.types { configuration.types += definition(type, types) }
        var credentials = CredentialCheck(declaration.credentials, root, clientNames: clientNames)
        configuration.credentials = credentials.credentials
        (configuration.state, configuration.stateKey) = (declaration.state, declaration.stateKey)
        let upstreams = checkUpstreams(&credentials)
        let context = BindingDraft.Context(
            types: types, upstreams: upstreams, upstreamNames: configuration.upstreams.map(\.name),
            clientNames: clientNames, composed: composed)
        checkBindings(context, typeCheck, &credentials)
        CompositionsCheck(root, types, reading).run(&configuration)
        AfterWritesCheck(root, configuration, types).run()
        BoundCertificates(root).add(to: &configuration)
        var definitions = TypeMentions(types)
        for type in configuration.types { definitions.add(type, root / "types" / type.name) }
        warnOfUnused(definitions.reached(from: typeCheck.mentions.names))
        if !log.hasMistakes { credentials.warnOfUnused() }
        checkSubjects()
        if configuration.bindings.isEmpty, !log.hasMistakes {
            (root / "bindings").warning("nothing is bound", suggestion: .advice("add 'bindings:'"))
        }
    }

    // MARK: - Types

    private func checkTypes() -> TypeMeanings {
        let declared = declaration.types.filter { type in
            let scope = root / "types" / type.name
            if Scalar.names.contains(where: { $0.name == type.name }) {
                scope.mistake("'\(type.name)' is a built-in type", expected: "a name of your own")
                return false
            }
            guard Name.isType(type.name) else {
                let capital = type.name.split { $0 == "-" || $0 == " " }
                    .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
                scope.mistake(
                    "'\(type.name)' cannot name a type", expected: "a capital, then letters, digits, '_' and '.'",
                    suggestion: Name.isType(capital) ? .didYouMean(capital) : nil)
                return false
            }
            return true
        }
        let definitions = declared.compactMap { type in type.type.map { TypeDefinition(name: type.name, type: $0) } }
        let cycles = TypeCycles.mistakes(in: definitions)
        for cycle in cycles { (root / "types" / cycle.name).mistake("\(cycle.message)", expected: cycle.expected) }
        guard cycles.isEmpty, let name = TypeLevels.firstTooDeep(in: definitions) else {
            return TypeMeanings(declared, isEndless: !cycles.isEmpty)
        }
        (root / "types" / name).mistake(
            "\(PlanError.tooDeep(NamedTypes.levelsMost))",
            expected: "an object, an array or a dictionary on the way")
        return TypeMeanings(declared, isEndless: true)
    }

    private func definition(
        _ type: ConfigurationDeclaration.TypeDeclaration, _ types: TypeMeanings
    ) -> [TypeDefinition] {
        guard types.isKnown(type.name), let meaning = type.type else { return [] }
        return [TypeDefinition(name: type.name, type: meaning)]
    }

    // MARK: - Upstreams

    private mutating func checkUpstreams(_ credentials: inout CredentialCheck) -> [String: BindingDraft.Inherited] {
        var model = Upstream.usual
        model.add(declaration.upstreamDefaults, root / "defaults")
        if declaration.upstreamDefaults.tells("host") { model.checkHost(root / "defaults" / "host") }
        let usual = inherited(.usual, declaration.bindingDefaults, root / "defaults")
        var all: [String: BindingDraft.Inherited] = [:]
        for upstream in declaration.upstreams {
            let scope = root / "upstreams" / upstream.name
            guard UpstreamCheck.checkName(upstream.name, "an upstream", scope) else { continue }
            var check = UpstreamCheck(upstream, model, scope)
            check.run()
            if let choice = check.upstream.credential, upstream.settings.tells("credential") {
                credentials.check(choice, scope / "credential")
                credentials.checkTLS(towards: check.upstream, choice, scope / "credential")
                credentials.warn(of: check.upstream, choice, scope)
            }
            configuration.upstreams.append(check.upstream)
            let isFirst = all[upstream.name] == nil
            if !isFirst { scope.mistake("upstream '\(upstream.name)' stands twice", expected: "each name once") }
            let tells =
                declaration.bindingDefaults.tells("unknown-params") || upstream.bindings.tells("unknown-params")
            let binding = inherited(usual, upstream.bindings, scope)
            if isFirst {
                all[upstream.name] = BindingDraft.Inherited(
                    upstream: check.upstream, binding: binding, tellsUnknownParameters: tells)
            }
        }
        return all
    }

    /// What bindings inherit that have parts and no upstream.
    private var composed: BindingDraft.Inherited {
        var model = Upstream.usual
        // What is wrong there is told of the upstreams.
        let silent = Scope(path: root.path, log: FindingLog(hasMistakes: false))
        model.add(declaration.upstreamDefaults, silent)
        var upstream = Upstream.parts
        upstream.timeout = model.timeout
        var binding = Binding.usual
        binding.add(declaration.bindingDefaults, silent)
        return BindingDraft.Inherited(
            upstream: upstream, binding: binding,
            tellsUnknownParameters: declaration.bindingDefaults.tells("unknown-params"))
    }

    private func inherited(_ binding: Binding, _ layer: Layer<Binding>, _ scope: Scope) -> Binding {
        var binding = binding
        binding.add(layer, scope)
        if layer.tells("allow"), let grants = binding.grants { grants.check(scope / "allow", clientNames) }
        return binding
    }

    // MARK: - Bindings

    private mutating func checkBindings(
        _ context: BindingDraft.Context, _ typeCheck: TypeCheck, _ credentials: inout CredentialCheck
    ) {
        var routes = RouteCheck()
        var bearers: [(upstream: String, scope: Scope)] = []
        configuration.bindings.reserveCapacity(declaration.bindings.count)
        reading.hasAllRoutes = declaration.hasAllBindings
        for (index, binding) in declaration.bindings.enumerated() {
            let scope = root / "bindings" / binding.name
            let draft = BindingDraft(binding, context, typeCheck, scope)
            let before = log.mistakeCountBesideFixtures
            draft.run()
            if binding.isWhole, log.mistakeCountBesideFixtures == before { reading.sound.insert(index) }
            if draft.paths == .routeUnknown { reading.hasAllRoutes = false }
            if let choice = draft.binding.credential, binding.settings.tells("credential") {
                credentials.check(choice, scope / "credential")
                if let upstream = draft.upstream {
                    credentials.checkTLS(towards: upstream, choice, scope / "credential")
                }
                if let upstream = draft.upstream, upstream.credential == nil {
                    credentials.warn(of: upstream, choice, root / "upstreams" / upstream.name)
                }
            }
            if let upstream = draft.upstream {
                credentials.checkSigned(draft.binding, upstream, upstream.credential(of: draft.binding, []), scope)
            }
            configuration.bindings.append(draft.binding)
            if binding.settings.says("bearer") { bearers.append((draft.binding.upstream, scope / "bearer")) }
            if draft.paths != .routeUnknown { routes.add(draft.binding, scope) }
        }
        // An upstream that a slip has orphaned is told by the slip.
        guard !log.hasMistakes else { return }
        let used = Set(configuration.bindings.lazy.map(\.upstream))
        for upstream in configuration.upstreams where !used.contains(upstream.name) {
            (root / "upstreams" / upstream.name).warning("upstream '\(upstream.name)' is not used by any binding")
        }
        warn(of: bearers, context)
    }

    /// `bearer:` says nothing about an upstream that has neither a token nor a credential, nor is given a token by any
    /// binding.
    private func warn(of bearers: [(upstream: String, scope: Scope)], _ context: BindingDraft.Context) {
        let keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        for (name, scope) in bearers {
            let upstream = context.upstreams[name]?.upstream
            if upstream?.bearer != nil || upstream?.credential != nil || keepers.contains(name) { continue }
            scope.warning("upstream '\(name)' has no bearer", suggestion: .advice("leave the key out"))
        }
    }

    private func warnOfUnused(_ reached: Set<String>) {
        guard !log.hasMistakes else { return }
        for type in configuration.types where !reached.contains(type.name) {
            (root / "types" / type.name).warning("type '\(type.name)' is not used by any binding")
        }
    }

    /// Whether a certificate that a binding asks for can be shown anywhere.
    private func checkSubjects() {
        guard let binding = configuration.bindings.first(where: { $0.grants?.subjects.isEmpty == false }),
            !configuration.listen.contains(where: { $0.tls?.clientCA != nil })
        else { return }
        (root / "bindings").warning(
            "'\(binding.name)' allows certificates, and no listener asks its clients for one",
            suggestion: .advice("add 'client-ca:' to the 'tls:' of a listener"))
    }
}

/// Which names the definitions of others mention.
private struct TypeMentions {
    private let types: TypeMeanings
    private var mentions: [String: Set<String>] = [:]

    init(_ types: TypeMeanings) {
        self.types = types
    }

    /// Looks at a definition, and notes what it mentions.
    mutating func add(_ definition: TypeDefinition, _ scope: Scope) {
        let check = TypeCheck(types)
        check.check(definition.type, scope)
        mentions[definition.name] = check.mentions.names
    }

    /// Every name that others lead to.
    func reached(from names: Set<String>) -> Set<String> {
        var reached: Set<String> = []
        var waiting = Array(names)
        while let name = waiting.popLast() {
            if reached.insert(name).inserted { waiting += mentions[name] ?? [] }
        }
        return reached
    }
}
