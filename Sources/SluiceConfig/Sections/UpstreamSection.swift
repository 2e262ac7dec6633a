import SluiceContract
import SluiceRules

/// `upstreams:`, by name.
enum UpstreamSection {
    static let section = Section(
        name: "upstream", summary: "An API that bindings point to",
        keys: [
            .required(
                "url", .oneOrMany(.text()),
                "http://host[:port][/base], https://… or unix:/path[:/base]; a list of them is one API at several "
                    + "endpoints"),
            .init("health", HealthPolicy.shape, "How endpoints are asked whether they are well"),
            .init("bearer", .section(BearerSection.section), "The token sent as Authorization: Bearer"),
            .init(
                "credential", CredentialChoice.shape, "What its requests are given: a name under credentials, or none"),
            .init("rate", RateNotation.shape, "Rate of all requests to it, such as 100/s burst 20"),
            .init("concurrency", ConcurrencyLimit.shape, "Requests in flight, and the queue behind them"),
        ] + Upstream.keys + Binding.keys, bareKey: "url")

    static func read(_ node: SourceNode?, _ context: ReadingContext) -> [UpstreamDeclaration] {
        guard let node else { return [] }
        var upstreams: [UpstreamDeclaration] = []
        for (name, _, value) in context.named(node, what: "upstreams by name") {
            var upstream = UpstreamDeclaration(name, [])
            Fields.read(value, section, context) { fields in
                if let url = fields.required("url") { upstream.endpoints = EndpointList.read(url, context) }
                fields.say("health", part: \.health, in: &upstream.settings)
                fields.say("bearer", \.bearer, in: &upstream.settings) { BearerSection.read($0, context) }
                fields.say("credential", part: \.credential, in: &upstream.settings)
                fields.say("rate", part: \.rate, in: &upstream.settings)
                fields.say("concurrency", part: \.concurrency, in: &upstream.settings)
                fields.read(Upstream.settings, into: &upstream.settings)
                upstream.bindings = fields.layer()
            }
            upstreams.append(upstream)
        }
        return upstreams
    }
}

extension Upstream.HostField: SettingNotation {
    static var shape: Shape { .text() }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Upstream.HostField>? {
        context.text(node, what: "a host name").map { text in
            switch text {
            case "upstream": .value(.upstream)
            case "client": .value(.client)
            default: .value(.fixed(text))
            }
        }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .upstream: writer.key(name, "upstream")
        case .client: writer.key(name, "client")
        case .fixed(let host): writer.key(name, host)
        }
    }
}
