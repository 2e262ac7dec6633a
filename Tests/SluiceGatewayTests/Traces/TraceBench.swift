import SluiceContract
import Testing

@testable import SluiceGateway

/// A bench whose gateway traces, and the spans that it has handed over.
final class TraceBench {
    let bench: Bench
    private(set) var spans: [TraceSpan] = []

    /// - Parameters:
    ///   - credentials: what there may be for upstreams to be shown.
    ///   - tokens: by the names of credentials.
    init(
        _ bindings: [Binding], upstreams: [Upstream] = [Build.upstream()], sample: Int = 100,
        credentials: [Credential] = [], tokens: [String: String] = [:]
    ) throws {
        let configuration = Build.configuration(bindings, upstreams: upstreams) {
            $0.trace = Self.settings(sample)
            $0.credentials = credentials
        }
        bench = try Bench(configuration, tokens: tokens)
        bench.gateway.spanSink = { [unowned self] in spans += $0 }
    }

    static func settings(_ sample: Int = 100) -> TraceSettings {
        var settings = TraceSettings()
        settings.endpoint = EndpointURL("http://127.0.0.1:4318/v1/traces")
        settings.samplePercent = sample
        return settings
    }

    var server: TraceSpan? { spans.last { $0.kind == .server } }
    var attempts: [TraceSpan] { spans.filter { $0.kind == .client } }

    /// What the last request that reached an origin had in `traceparent`.
    func sentParent() throws -> [String] {
        try #require(try bench.forwarded()["traceparent"]).split(separator: "-").map(String.init)
    }
}

extension TraceSpan {
    /// An attribute as text; nil where there is none.
    subscript(name: String) -> String? {
        attributes.first { $0.name.description == name }.map { $0.value.shown }
    }

    /// `name {attribute: value}`.
    var shownEvents: [String] {
        events.map { event in
            event.name.description + event.attributes.map { " \($0.name)=\($0.value.shown)" }.joined()
        }
    }
}

extension TraceSpan.Value {
    var shown: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }
}
