public import SluiceContract

/// What a binding takes from `defaults:`, then from its upstream, then from itself; later wins.
extension Binding: Layered {
    public static let usual = Binding(
        methods: [], path: PathTemplate(segments: [], hasRest: false), upstream: "",
        upstreamPath: PathTemplate(segments: [], hasRest: false))

    public static let settings: [Setting<Binding>] = [
        .choice(
            "unknown-params", \.unknownParameters, default: "reject; pass where the path ends in **",
            "What happens to parameters that are not declared"),
        .choice("unknown", \.unknownKeys, "What happens to JSON keys that the type does not name"),
        .words("serve", \.serve, "What may be answered, in this order"),
        .wait(
            "patience", \.patience,
            "How long a client waits for the upstream before it is answered with 202, where serve has loading"),
        .part("cache", \.cache, default: "nothing is stored", "What is stored, and for how long"),
        .part("drift", \.drift, default: "false", "What is noticed in answers that are of their types"),
        .choice(
            "on-drift", \.onDrift,
            "What is answered where the upstream's value is not of its type; pass is the value as it is"),
        .size("hold", \.holdBytes, "How much is held of a checked answer until it is proven, and of a signed body"),
        .flag("early", \.early, "Answers once every wanted value is proven, whatever the upstream sends after it"),
        .count("report", \.reportCount, in: 1...1000, "How many faults of one answer are told"),
        .choice(
            "answer", \.answer, "echo gives the client back what it sent, once the upstream has accepted it"),
        .part(
            "retry", \.retry, default: "a failed connection, at another endpoint",
            "When a request that failed is sent once more"),
        .part(
            "hedge", \.hedge,
            "When a second attempt is sent beside a slow first one: a percentile such as p95, or a duration"),
        .size("body-max", \.bodyBytesMax, default: "limits.body", "The largest body that a client may send"),
        .choice(
            "set-cookie", \.setCookie,
            "Whether the upstream's Set-Cookie reaches the client; store keeps it with a stored answer"),
        .part(
            "compress", \.compression, default: "false",
            "Answers with a value go out compressed where the client takes it"
        ),
        .part(
            "cors", \.crossOrigin, default: "false",
            "Pages of other origins that may use it: a mapping, a list of origins, or any"),
        .part("answer-headers", \.answerHeaders, "Fields of answers: set, renamed or dropped"),
        .part(
            "idempotency-key", \.idempotencyKey,
            "The field in which each request that must not happen twice gets a key of its own, so that it may be sent"
                + " again"),
        .part("allow", \.grants, default: "any", "Who may use it"),
        .part(
            "watch", \.watch, default: "false",
            "Clients that ask for text/event-stream are told the value, and each change of it"),
    ]

    public func check(_ layer: Layer<Binding>, _ scope: Scope) {
        if layer.tells("idempotency-key"), let key = idempotencyKey {
            FieldRule.checkName(key.field, scope / "idempotency-key")
        }
        if layer.tells("serve") { checkServe(scope / "serve") }
    }

    /// A list in which nothing applies any more would leave the client without an answer.
    private func checkServe(_ scope: Scope) {
        if Set(serve).count < serve.count {
            scope.mistake("a rule stands twice in 'serve'", expected: "each rule once")
        }
        guard let last = serve.last, last == .error || last == .default else {
            scope.mistake(
                "'serve' has no end: nothing is answered where no rule applies",
                expected: "a list that ends with error or default")
            return
        }
        if let index = serve.firstIndex(of: .error), index < serve.count - 1 {
            scope.mistake("rules behind 'error' never apply", expected: "error at the end of the list")
        }
    }
}
