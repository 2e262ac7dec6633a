public import SluiceContract

extension Configuration {
    /// Everything that is wrong or odd in a configuration that a program has put together, as if its author had said
    /// each thing that is not as usual.
    public var findings: [Finding] { ConfigurationDeclaration(self).checked().findings }
}

extension ConfigurationDeclaration {
    /// A configuration in which everything is said that is not as usual, and nothing is inherited.
    public init(_ configuration: Configuration) {
        self.init()
        listeners = configuration.listen.map { ListenerDeclaration($0) }
        admin = configuration.admin
        monitor = configuration.monitor.map {
            MonitorDeclaration(.tcp(host: $0.host, port: $0.port), keyDigests: $0.keyDigests)
        }
        clients = configuration.clients.map { ClientDeclaration($0.name, keyDigests: $0.keyDigests, rate: $0.rate) }
        credentials = configuration.credentials.map { CredentialDeclaration($0) }
        (state, stateKey) = (configuration.state, configuration.stateKey)
        settings = Layer(differencesOf: configuration)
        types = configuration.types.map { TypeDeclaration($0.name, $0.type) }
        upstreams = configuration.upstreams.map { UpstreamDeclaration($0) }
        let keys = Dictionary(configuration.upstreams.map { ($0.name, $0.keys) }) { first, _ in first }
        bindings = configuration.bindings.map { BindingDeclaration($0, upstreamKeys: keys[$0.upstream] ?? .verbatim) }
    }
}

extension ListenerDeclaration {
    init(_ listener: Listener) {
        self.init(listener.address)
        if let tls = listener.tls { settings.say("tls", \.tls, tls) }
        if let grants = listener.grants { settings.say("allow") { model, _ in model.grants = grants } }
        settings.say("http2", \.http2, listener.http2)
        let isSocket = if case .unix = listener.address { true } else { false }
        if isSocket || listener.mode != Listener(listener.address).mode { settings.say("mode", \.mode, listener.mode) }
    }
}

extension UpstreamDeclaration {
    init(_ upstream: Upstream) {
        self.init(upstream.name, upstream.endpoints.map { Endpoint($0, basePath: upstream.basePath) })
        settings = Layer(differencesOf: upstream)
        if let health = upstream.health { settings.say("health", \.health, health) }
        if let bearer = upstream.bearer { settings.say("bearer", \.bearer, bearer) }
        if let credential = upstream.credential { settings.say("credential", \.credential, credential) }
        if let rate = upstream.rate { settings.say("rate", \.rate, rate) }
        if let concurrency = upstream.concurrency { settings.say("concurrency", \.concurrency, concurrency) }
    }
}

extension BindingDeclaration {
    init(_ binding: Binding, upstreamKeys: KeyStyle) {
        let target = Target(binding.upstream, method: binding.upstreamMethod, path: binding.upstreamPath)
        self.init(
            binding.name, methods: binding.methods, path: binding.path,
            target: binding.composition == nil ? target : nil)
        parts = binding.composition.map { .composed($0) } ?? .none
        parameters = binding.parameters.map { ParameterDeclaration($0) }
        settings = Layer(differencesOf: binding)
        // The default that depends on the paths.
        if !settings.says("unknown-params") { settings.set(\.unknownParameters, to: binding.unknownParameters) }
        if binding.body != .passThrough { settings.say("body", \.body, binding.body) }
        if binding.value != nil || !binding.valueByStatus.isEmpty {
            settings.say("value") { model, _ in
                (model.value, model.valueByStatus) = (binding.value, binding.valueByStatus)
            }
        }
        if let parent = binding.parent { settings.say("parent", \.parent, parent) }
        if binding.graphQL == nil, binding.composition == nil, binding.wrap != binding.parent?.keys ?? [] {
            settings.say("wrap", \.wrap, binding.wrap)
        }
        if let json = binding.defaultJSON { settings.say("default", \.defaultJSON, json) }
        if let effect = binding.then { settings.say("then", \.then, effect) }
        if let keep = binding.keep { settings.say("keep", \.keep, keep) }
        if !binding.sendsBearer { settings.say("bearer", \.sendsBearer, false) }
        if let credential = binding.credential { settings.say("credential", \.credential, credential) }
        if binding.keys != upstreamKeys { settings.say("keys", \.keys, binding.keys) }
        sayRest(of: binding)
    }

    private mutating func sayRest(of binding: Binding) {
        if let timeout = binding.timeout { settings.say("timeout", \.timeout, timeout) }
        if binding.error != nil { settings.say("error", \.errors, .errors(binding.errors)) }
        if let follow = binding.follow { settings.say("follow", \.follow, follow) }
        if !binding.headers.isEmpty { settings.say("headers", \.headers, .fields(binding.headers)) }
        if let rows = binding.rows { settings.say("rows", \.rows, rows) }
        if let pages = binding.pages { settings.say("pages", \.pages, pages) }
        if let document = binding.graphQL { settings.say("graphql", \.graphQL, document) }
        if !binding.localURLs.isEmpty { settings.say("local-urls", \.localURLs, binding.localURLs) }
        if let upgrade = binding.upgrade { settings.say("upgrade", \.upgrade, upgrade) }
        if let fixture = binding.fixture { settings.say("fixture", \.fixture, fixture) }
        if !binding.fixtures.isEmpty { settings.say("fixtures", \.fixtures, binding.fixtures) }
        if let rate = binding.rate { settings.say("rate", \.rate, rate) }
        if let concurrency = binding.concurrency { settings.say("concurrency", \.concurrency, concurrency) }
    }
}

extension ParameterDeclaration {
    init(_ parameter: Parameter) {
        self.init(parameter.name, parameter.type)
        location = parameter.location
        upstreamName = parameter.upstreamName
        exampleJSON = parameter.exampleJSON
        fixedSource = parameter.source
        if parameter.isFixed { fixedJSON = parameter.defaultJSON } else { defaultJSON = parameter.defaultJSON }
        if parameter.style != .repeated { style = parameter.style }
        if parameter.null != .omit { null = parameter.null }
    }
}
