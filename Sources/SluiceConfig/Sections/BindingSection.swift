import SluiceContract
import SluiceRules

/// `bindings:`: local routes, and the upstream requests or parts that they are bound to.
enum BindingSection {
    static let section = Section(
        name: "binding", summary: "A local route bound to one upstream request",
        keys: [
            .init(
                "to", .text(pattern: BindingKey.targetPattern), default: "required, unless there are parts",
                "Upstream, method where it differs, and path"),
            .init(
                "parts", .names(pattern: PartsSection.namePattern, PartsSection.shape),
                "Other bindings that it is made of, by name, in the place of an upstream"),
            .init(
                "params", .names(pattern: nil, .field(ParameterSection.section)), default: "{}", "Parameters by name"),
            .init("use", .oneOrMany(.text()), "Groups of parameters, by name"),
            .init("body", BodyReader.shape, default: "passed through", "What the client's body has to be"),
            .init(
                "graphql", GraphQLSection.shape,
                "The query that an API of GraphQL is asked, with the parameters as variables"),
            .init("parent", .path, "Where the wanted value stands in the upstream's JSON"),
            .init(
                "wrap", .either([.path, .choice(["false"])]), default: "the keys of parent",
                "Keys that the outgoing body is wrapped in, outermost first"),
            .init("value", ValueReader.shape, default: "passed through", "Type of the value, or types by status"),
            .init(
                "rows", RowsSection.shape, default: "the answer is a JSON document",
                "How the answer holds rows where it is no JSON document: NDJSON, CSV or server-sent events"),
            .init("pages", .section(PagesSection.section), "How all pages of a list are gathered into one value"),
            .init(
                "local-urls", .oneOrMany(.path),
                "Paths of URLs in the answer that come out in local ones, such as that of the next page"),
            .init("default", .any, "The value where the upstream's is absent"),
            .init("bearer", .flag, default: "true", "Whether the upstream's bearer is sent"),
            .init(
                "credential", CredentialChoice.shape, default: "the upstream's",
                "What its requests are given: a name under credentials, or none"),
            .init("keep", .section(KeepSection.section), "What is taken from an answer and kept"),
            .init(
                "then", .section(ThenSection.section),
                "What the success of a change means for answers that are stored"),
            .init("timeout", .section(TimeoutSection.section), default: "the upstream's", "How long is waited"),
            .init("error", .section(ErrorSection.section), default: "the upstream's", "Where errors are kept"),
            .init(
                "follow", .choice(Redirects.allCases.map(\.rawValue)), default: "the upstream's",
                "What happens to a redirect"),
            .init(
                "keys", .choice(KeyStyle.allCases.map(\.rawValue)), default: "the upstream's", "How keys are renamed"),
            .init("headers", HeadersSection.shape, default: "{}", "Fields of requests: set, renamed or dropped"),
            .init(
                "upgrade", .choice(Binding.Upgrade.allCases.map(\.rawValue)), default: "none",
                "What is spoken instead of plain HTTP: a tunnel of WebSocket, or calls of gRPC"),
            .init(
                "fixture", FixtureSection.shape,
                "What stands in for the upstream, where fixtures are in use: sluice serve --fixtures"),
            .init(
                "fixtures", .names(pattern: FixtureSection.namePattern, FixtureSection.shape), default: "{}",
                "Further ones by name, for requests with Prefer: example=NAME"),
            .init("rate", RateNotation.shape, "Rate of all its requests, such as 100/s burst 20"),
            .init("concurrency", ConcurrencyLimit.shape, "Requests in flight, and the queue behind them"),
        ] + Binding.keys, bareKey: "to", alternatives: ["to", "parts"])

    static func read(
        _ node: SourceNode?, _ context: ReadingContext, _ upstreamNames: [String], _ types: TypeTable,
        _ groups: ParameterGroups
    ) -> [BindingDeclaration] {
        guard let node else { return [] }
        var bindings: [BindingDeclaration] = []
        let what = "bindings: a method, a space and a path as the key"
        for (name, key, value) in context.named(node, what: what, advice: advice) {
            let before = context.findings.mistakes.count
            let route = BindingKey.read(name, key, context)
            Fields.read(value, section, context) { fields in
                var reader = BindingReader(fields: fields, types: types, upstreamNames: upstreamNames, name, route)
                reader.read(groups)
                reader.binding.isWhole = groups.isWhole && context.findings.mistakes.count == before
                bindings.append(reader.binding)
            }
        }
        return bindings
    }

    /// A suggestion for a list of routes, or a single route, in the place of the mapping.
    private static func advice(_ node: SourceNode) -> Suggestion? {
        if let text = node.text, text.contains(" /") { return .didYouMean("\(text): …") }
        guard let items = node.items, !items.isEmpty else { return nil }
        let haveColons = items.allSatisfy { $0.entries?.first?.key.text?.contains(" /") == true }
        return haveColons ? nil : .advice("leave the '-' out, and write a ':' behind the path")
    }
}
