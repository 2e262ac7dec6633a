import SluiceContract

/// `bindings:`: local routes and what they are bound to.
enum BindingSection {
    static let section = Section(
        name: "binding", summary: "A local route bound to one upstream request",
        keys: [
            .required("to", .text(pattern: BindingKey.targetPattern), "Upstream, method where it differs, and path"),
            .init(
                "params", .names(pattern: nil, .field(ParameterSection.section)), default: "{}", "Parameters by name"),
            .init("body", BodyReader.shape, default: "passed through", "What the client's body has to be"),
            .init("parent", .path, "Where the wanted value stands in the upstream's JSON"),
            .init(
                "wrap", .either([.path, .choice(["false"])]), default: "the keys of parent",
                "Keys that the outgoing body is wrapped in, outermost first"),
            .init("value", ValueReader.shape, default: "passed through", "Type of the value, or types by status"),
            .init("default", .any, "The value where the upstream's is absent"),
            .init("bearer", .flag, default: "true", "Whether the upstream's bearer is sent"),
            .init("keep", .section(KeepSection.section), "What is taken from an answer and kept"),
            .init("timeout", .section(TimeoutSection.section), default: "the upstream's", "How long is waited"),
            .init("error", .section(ErrorSection.section), default: "the upstream's", "Where errors are kept"),
            .init(
                "follow", .choice(Redirects.allCases.map(\.rawValue)), default: "the upstream's",
                "What happens to a redirect"),
            .init(
                "keys", .choice(KeyStyle.allCases.map(\.rawValue)), default: "the upstream's", "How keys are renamed"),
            .init("headers", HeadersSection.shape, default: "{}", "Fixed fields sent upstream"),
            .init(
                "upgrade", .choice(Binding.Upgrade.allCases.map(\.rawValue)), default: "none",
                "What is spoken instead of plain HTTP: a tunnel of WebSocket, or calls of gRPC"),
            .init("rate", RateNotation.shape, "Rate of all its requests, such as 100/s burst 20"),
            .init("concurrency", ConcurrencySection.shape, "Requests in flight, and the queue behind them"),
        ] + BindingSettings.keys, bareKey: "to")

    static func read(
        _ node: SourceNode?, _ desk: Desk, _ upstreams: UpstreamSection.Readings, _ types: TypeTable
    ) -> [Binding] {
        guard let node else { return [] }
        var bindings: [Binding] = []
        var routes = RouteCheck(desk: desk)
        var bearers: [(upstream: String, place: SourceNode.Place)] = []
        for (name, key, value) in desk.named(node, what: "bindings: a method, a space and a path as the key") {
            let route = BindingKey.read(name, key, desk)
            Fields.read(value, section, desk) { fields in
                var reader = BindingReader(
                    fields: fields, types: types, upstreams: upstreams, key: key,
                    methods: route?.methods ?? [], path: route?.path)
                reader.read()
                bindings.append(reader.binding)
                if fields.has("bearer") { bearers.append((reader.binding.upstream, fields.keyPlace("bearer"))) }
            }
            if let route { routes.add(route, key) }
        }
        // An upstream that a slip has orphaned is told by the slip.
        guard desk.findings.mistakes.isEmpty else { return bindings }
        let used = Set(bindings.lazy.map(\.upstream))
        for upstream in upstreams.list where !used.contains(upstream.upstream.name) {
            desk.findings.warning(at: upstream.place, "upstream '\(upstream.upstream.name)' is not used by any binding")
        }
        warn(of: bearers, desk, upstreams, bindings)
        return bindings
    }

    /// `bearer:` says nothing about an upstream that neither has a token nor is given one by any binding.
    private static func warn(
        of bearers: [(upstream: String, place: SourceNode.Place)], _ desk: Desk,
        _ upstreams: UpstreamSection.Readings, _ bindings: [Binding]
    ) {
        let keepers = Set(bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        for (name, place) in bearers {
            if upstreams[name]?.upstream.bearer != nil || keepers.contains(name) { continue }
            desk.findings.warning(
                at: place, "upstream '\(name)' has no bearer", suggestion: .advice("leave the key out"))
        }
    }
}

/// Two bindings on one route: methods that overlap and paths that match the same requests.
struct RouteCheck {
    let desk: Desk
    private var known: [String: [(route: BindingKey.Route, key: SourceNode)]] = [:]

    init(desk: Desk) {
        self.desk = desk
    }

    mutating func add(_ route: BindingKey.Route, _ key: SourceNode) {
        let shape = Self.shape(route.path)
        for (other, otherKey) in known[shape] ?? [] {
            let isSame =
                route.methods.isEmpty ? other.methods.isEmpty : !Set(route.methods).isDisjoint(with: other.methods)
            guard isSame else { continue }
            desk.findings.mistake(
                at: key.place, "'\(key.text ?? "")' is bound already, in line \(otherKey.place.line)",
                expected: "one binding for each method and path; names of placeholders make no difference")
        }
        known[shape, default: []].append((route, key))
    }

    /// The path without the names of its placeholders.
    private static func shape(_ path: PathTemplate) -> String {
        let segments = path.segments.map { segment in
            segment.map { part in
                if case .text(let text) = part { text } else { "{}" }
            }.joined()
        }
        return (segments + (path.hasRest ? ["**"] : [])).joined(separator: "/")
    }
}
