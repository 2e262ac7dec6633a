import SluiceContract

/// One binding while it is read; each step is a file of its own.
struct BindingReader {
    let fields: Fields
    let types: TypeTable
    let upstreams: UpstreamSection.Readings
    /// The upstream's reading, unless `to:` names none.
    private(set) var upstream: UpstreamSection.Reading?
    /// The node of the route.
    let key: SourceNode
    /// False where the route or the target could not be read: their placeholders are not looked at then.
    private(set) var hasPaths: Bool
    var binding: Binding
    var desk: Desk { fields.desk }

    init(
        fields: Fields, types: TypeTable, upstreams: UpstreamSection.Readings, key: SourceNode, methods: [String],
        path: PathTemplate?
    ) {
        self.fields = fields
        self.types = types
        self.upstreams = upstreams
        self.key = key
        hasPaths = path != nil
        let root = PathTemplate(segments: [], hasRest: false)
        binding = Binding(methods: methods, path: path ?? root, upstream: "", upstreamPath: root)
    }

    mutating func read() {
        readTarget()
        readSettings()
        readBody()
        readParameters()
        readValue()
        readKeep()
        readUpgrade()
        checkPaths()
        checkCombinations()
    }

    private mutating func readTarget() {
        guard let node = fields.required("to"),
            let target = BindingKey.target(node, desk, upstreams)
        else {
            hasPaths = false
            return
        }
        binding.upstream = target.upstream
        upstream = upstreams[target.upstream]
        if let method = target.method, binding.methods != [method] { binding.upstreamMethod = method }
        if let path = target.path { binding.upstreamPath = path } else { hasPaths = false }
    }

    private mutating func readSettings() {
        let desk = desk
        var settings = upstream?.settings ?? BindingSettings()
        settings.read(fields)
        settings.apply(to: &binding)
        // What lies below a `**` is the upstream's own affair, its query included.
        if binding.upstreamPath.hasRest, !fields.has("unknown-params") { binding.unknownParameters = .pass }
        binding.keys = upstream?.upstream.keys ?? .verbatim
        fields.set("keys", &binding.keys) { desk.choice($0) }
        fields.set("follow", &binding.follow) { desk.choice($0) }
        fields.set("rate", &binding.rate) { RateNotation.read($0, desk) }
        fields.set("concurrency", &binding.concurrency) { ConcurrencySection.read($0, desk) }
        if let node = fields.node("headers") { HeadersSection.read(node, desk, into: &binding.headers) }
        if let node = fields.node("timeout") {
            var timeout = upstream?.upstream.timeout ?? UpstreamTimeouts()
            TimeoutSection.read(node, desk, into: &timeout)
            binding.timeout = timeout
        }
        if let node = fields.node("error") {
            var error = upstream?.upstream.error ?? ErrorPaths()
            ErrorSection.read(node, desk, into: &error, byStatus: &binding.errorByStatus)
            binding.error = error
        }
        if let node = fields.node("bearer") { readBearer(node) }
    }

    private mutating func readBearer(_ node: SourceNode) {
        guard node.entries == nil else {
            desk.findings.mistake(
                at: node.place, "a binding has no bearer of its own", expected: "true or false",
                suggestion: .advice("give the token to the upstream '\(binding.upstream)'"))
            return
        }
        guard let sends = desk.flag(node) else { return }
        binding.sendsBearer = sends
    }

    /// Whether the body that goes upstream is JSON made by the gateway.
    var sendsJSON: Bool {
        if case .json = binding.body { return true }
        return binding.parameters.contains { $0.location == .body }
    }
}
