import SluiceContract

/// What a binding takes from `defaults:`, then from its upstream, then from itself; later wins.
struct BindingSettings {
    private static let model = Binding(
        methods: [], path: PathTemplate(segments: [], hasRest: false), upstream: "",
        upstreamPath: PathTemplate(segments: [], hasRest: false))

    /// nil where no layer says anything: a binding of everything below a path (`**`) then passes the query through.
    var unknownParameters: Binding.UnknownParameters?
    var unknownKeys = model.unknownKeys
    var serve = model.serve
    var cache: CachePolicy?
    var holdBytes = model.holdBytes
    var early = model.early
    var reportCount = model.reportCount
    var answer = model.answer
    var bodyBytesMax: Int?
    var retry: RetryPolicy?
    var hedge: HedgePolicy?
    var passesSetCookie = model.passesSetCookie
    var storesSetCookie = model.storesSetCookie
    var compression: Compression?
    var crossOrigin: CrossOriginPolicy?
    var grants: Grants?

    static let keys: [Section.Key] = [
        .init(
            "unknown-params", .choice(Binding.UnknownParameters.allCases.map(\.rawValue)),
            default: "reject; pass where the path ends in **", "What happens to parameters that are not declared"),
        .init(
            "unknown", .choice(UnknownKeys.allCases.map(\.rawValue)), default: model.unknownKeys.rawValue,
            "What happens to JSON keys that the type does not name"),
        .init(
            "serve", .oneOrMany(.choice(Binding.ServeRule.allCases.map(\.rawValue))),
            default: "[\(model.serve.map(\.rawValue).joined(separator: ", "))]", "What may be answered, in this order"),
        .init(
            "cache", CacheSection.shape, default: "nothing is stored",
            "What is stored, and for how long"),
        .init(
            "hold", .size, default: Quantity.text(bytes: model.holdBytes),
            "How much of a checked answer is held until it is proven"),
        .init(
            "early", .flag, default: String(model.early),
            "Answers once every wanted value is proven, whatever the upstream sends after it"),
        .init(
            "report", .integer(1...1000), default: String(model.reportCount), "How many faults of one answer are told"),
        .init(
            "answer", .choice(Binding.Answer.allCases.map(\.rawValue)), default: model.answer.rawValue,
            "echo gives the client back what it sent, once the upstream has accepted it"),
        .init(
            "retry", RetrySection.shape, default: "a failed connection, at another endpoint",
            "When a request that failed is sent once more"),
        .init(
            "hedge", HedgeSection.shape,
            "When a second attempt is sent beside a slow first one: a percentile such as p95, or a duration"),
        .init("body-max", .size, default: "limits.body", "The largest body that a client may send"),
        .init(
            "set-cookie", .choice(SetCookie.allCases.map(\.rawValue)), default: SetCookie.pass.rawValue,
            "Whether the upstream's Set-Cookie reaches the client; store keeps it with a stored answer"),
        .init(
            "compress", CompressSection.shape, default: "false",
            "Answers with a value go out compressed where the client takes it"),
        .init(
            "cors", CrossOriginSection.shape, default: "false",
            "Pages of other origins that may use it: a mapping, a list of origins, or any"),
        .init("allow", GrantsSection.shape, default: "any", "Who may use it"),
    ]

    enum SetCookie: String, CaseIterable {
        case pass, drop, store
    }

    mutating func read(_ fields: Fields) {
        let desk = fields.desk
        fields.set("unknown-params", &unknownParameters) { desk.choice($0) }
        fields.set("unknown", &unknownKeys) { desk.choice($0) }
        if let node = fields.node("serve") {
            serve = desk.items(node).compactMap { desk.choice($0) }
            if serve.count == desk.items(node).count { Self.check(serve, at: fields.keyPlace("serve"), desk) }
        }
        let inherited = cache
        fields.set("cache", &cache) { CacheSection.read($0, desk, base: inherited) }
        fields.set("hold", &holdBytes, desk.size)
        fields.set("early", &early, desk.flag)
        fields.set("report", &reportCount) { desk.integer($0, in: 1...1000) }
        fields.set("answer", &answer) { desk.choice($0) }
        let inheritedRetry = retry
        fields.set("retry", &retry) { RetrySection.read($0, desk, base: inheritedRetry) }
        fields.set("hedge", &hedge) { HedgeSection.read($0, desk) }
        fields.set("body-max", &bodyBytesMax, desk.size)
        if let node = fields.node("set-cookie"), let choice = desk.choice(node, of: SetCookie.self) {
            passesSetCookie = choice != .drop
            storesSetCookie = choice == .store
        }
        let offered = compression
        fields.set("compress", &compression) { CompressSection.read($0, desk, base: offered) }
        fields.set("cors", &crossOrigin) { CrossOriginSection.read($0, desk) }
        fields.set("allow", &grants) { GrantsSection.read($0, desk) }
    }

    /// A list in which nothing applies any more would leave the client without an answer.
    private static func check(_ serve: [Binding.ServeRule], at place: SourceNode.Place, _ desk: Desk) {
        if Set(serve).count < serve.count {
            desk.findings.mistake(at: place, "a rule stands twice in 'serve'", expected: "each rule once")
        }
        guard let last = serve.last, last == .error || last == .default else {
            desk.findings.mistake(
                at: place, "'serve' has no end: nothing is answered where no rule applies",
                expected: "a list that ends with error or default")
            return
        }
        if let index = serve.firstIndex(of: .error), index < serve.count - 1 {
            desk.findings.mistake(
                at: place, "rules behind 'error' never apply", expected: "error at the end of the list")
        }
    }

    func apply(to binding: inout Binding) {
        binding.unknownParameters = unknownParameters ?? (binding.path.hasRest ? .pass : .reject)
        binding.unknownKeys = unknownKeys
        binding.serve = serve
        binding.cache = cache
        binding.holdBytes = holdBytes
        binding.early = early
        binding.reportCount = reportCount
        binding.answer = answer
        binding.retry = retry
        binding.hedge = hedge
        binding.bodyBytesMax = bodyBytesMax
        binding.passesSetCookie = passesSetCookie
        binding.storesSetCookie = storesSetCookie
        binding.compression = compression
        binding.crossOrigin = crossOrigin
        binding.grants = grants
    }
}
