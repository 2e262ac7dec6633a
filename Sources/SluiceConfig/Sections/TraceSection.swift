import SluiceContract
import SluiceRules

/// `trace:`.
enum TraceSection {
    static let section = Section(
        name: "trace", summary: "Spans of requests, for a collector of OpenTelemetry",
        keys: [
            .init(
                "endpoint", .text(), default: "off",
                "Where they go by OTLP over HTTP, such as http://127.0.0.1:4318; without a path, to "
                    + TraceSettings.usualPath),
            TraceSettings.key("sample"), TraceSettings.key("headers"),
            .init("bearer", .section(BearerSection.section), "The token that the collector is shown"),
            TraceSettings.key("tls"),
        ], bareKey: "endpoint")

    /// - Returns: `.some(nil)` for off; nil where the node is wrong.
    fileprivate static func endpoint(_ node: SourceNode, _ context: ReadingContext) -> EndpointURL?? {
        if node.isOff { return .some(nil) }
        guard let text = context.text(node, what: "a URL such as http://127.0.0.1:4318") else { return nil }
        guard var url = EndpointURL(text), EndpointRule.isHost(url.host) else {
            // The URL may hold a key, so the message does not repeat it.
            context.findings.mistake(
                at: node.place, "this is no URL of a collector", expected: "http://host[:port][/path], https://… or off"
            )
            return nil
        }
        if url.target == "/" { url.target = TraceSettings.usualPath }
        return url
    }
}

extension TraceSettings: SettingNotation {
    static var shape: Shape { .section(TraceSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<TraceSettings>? {
        if node.isSwitch {
            context.findings.mistake(
                at: node.place, "\(node.kind) where a mapping is wanted",
                expected: "a mapping such as {endpoint: http://127.0.0.1:4318}",
                suggestion: node.isOff ? .didYouMean("{endpoint: off}") : nil)
            return nil
        }
        var layer = Layer<TraceSettings>()
        Fields.read(node, TraceSection.section, context) { fields in
            fields.read(settings, into: &layer)
            if let node = fields.node("endpoint") {
                if let endpoint = TraceSection.endpoint(node, context) {
                    layer.say("endpoint", \.endpoint, endpoint)
                } else {
                    layer.sayUnread("endpoint")
                }
            }
            fields.say("bearer", \.bearer, in: &layer) { BearerSection.read($0, context) }
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            // The URL's query may hold a key.
            let target = endpoint.map {
                $0.target.prefix { $0 != "?" } + ($0.target.contains("?") ? "?" + Explain.redacted : "")
            }
            writer.key("endpoint", endpoint.map { $0.site + (target ?? "") } ?? "off")
            writer.settings(of: self, except: endpoint?.isSecure == true ? [] : ["tls"])
            if let bearer { writer.raw("bearer", Explain.source(bearer)) }
        }
    }
}
