public import SluiceContract

extension Configuration: Layered {
    public static let usual = Configuration()

    public static let settings: [Setting<Configuration>] = [
        .part("hosts", \.hosts, default: "[]", "Names that the Host field may hold, or any"),
        .part(
            "client-rate", \.clientRate,
            "Rate of each client by itself: by its name, else its Unix user or address; such as 100/s burst 20"),
        .count(
            "loops", \.loops, in: 1...1024, default: "the cores that the process may run on", "Number of event loops"),
        .part("cache", \.cache, "Where stored answers are kept, for all bindings with a cache"),
        .part("limits", \.limits, "Every limit of the edge"),
        .duration("drain", \.drain, "How long a stopping daemon waits for what is in flight"),
        .part("log", \.log, "The log and the access log"),
        .part("metrics", \.metrics, "What is counted for operators"),
        .part(
            "inspect", \.inspect, default: "false",
            "The last exchanges are kept, with what went over both sides of the gateway"),
        .part("trace", \.trace, "Spans of requests, for a collector of OpenTelemetry"),
        .part("envelope", \.envelope, default: "problem", "The shape of an error answer"),
    ]
}

extension Hosts: Checked {
    public func check(_ scope: Scope) {
        guard case .names(let names) = self else { return }
        for (index, name) in names.enumerated()
        where !HostPort.isName(name) && !HostPort.isIPv4(name) && !HostPort.isIPv6(name) {
            scope[index].mistake(
                "'\(name)' is no host name", at: .value, expected: "a name without scheme and port",
                suggestion: HostPort.split(name).map { .didYouMean($0.host) })
        }
    }
}

extension Envelope: Checked {
    public func check(_ scope: Scope) {
        if case .template(let template) = self { template.check(scope) }
    }
}

extension Envelope.Template {
    /// What may stand in braces in a string of the template.
    private static let placeholders = [
        "kind", "title", "status", "detail", "source", "code", "upstream", "retryable", "faults", "trace_id",
    ]

    func check(_ scope: Scope) {
        switch self {
        case .object(let members): for member in members { member.value.check(scope / member.key) }
        case .array(let items): for (index, item) in items.enumerated() { item.check(scope[index]) }
        case .string(let text): Self.check(text, scope)
        case .literal: break
        }
    }

    private static func check(_ text: String, _ scope: Scope) {
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            if !placeholders.contains(name) {
                scope.mistake(
                    "unknown placeholder '{\(name)}'", at: .value,
                    expected: placeholders.map { "{\($0)}" }.joined(separator: ", "),
                    suggestion: Nearest.name(to: name, among: placeholders).map { .didYouMean("{\($0)}") })
            }
            rest = rest[rest.index(after: close)...]
        }
    }
}
