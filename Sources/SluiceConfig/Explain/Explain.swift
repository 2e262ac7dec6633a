public import SluiceContract

/// The effective configuration as YAML: every default filled in, secrets redacted.
public enum Explain {
    /// What stands in the place of a secret.
    public static let redacted = "REDACTED"

    /// Reads back as the same configuration, but for what was redacted.
    public static func yaml(_ configuration: Configuration) -> String {
        var writer = YAMLWriter()
        writer.raw("listen", "[" + configuration.listen.map(listener).joined(separator: ", ") + "]")
        switch configuration.hosts {
        case .any: writer.key("hosts", "any")
        case .names(let names): writer.list("hosts", names)
        }
        clients(configuration, &writer)
        if let loops = configuration.loops { writer.raw("loops", String(loops)) }
        writer.key("drain", Quantity.text(configuration.drain))
        writer.mapping("log") { writer in
            writer.key("level", configuration.log.level.rawValue)
            writer.key("format", configuration.log.format.rawValue)
            writer.key("access", configuration.log.access ?? "off")
            writer.key("query", configuration.log.query.rawValue)
        }
        limits(configuration.limits, &writer)
        store(configuration.cache, &writer)
        writer.key("admin", configuration.admin ?? AdminSection.off)
        switch configuration.envelope {
        case .problemDetails: writer.key("envelope", "problem")
        case .template(let template): writer.raw("envelope", json(template))
        }
        writer.mapping("upstreams") { writer in
            for upstream in configuration.upstreams { self.upstream(upstream, &writer) }
        }
        writer.mapping("types") { writer in
            for definition in configuration.types { type(definition, &writer) }
        }
        writer.mapping("bindings") { writer in
            var groups: [Int: [Int]] = [:]
            for group in configuration.siblingGroups { for index in group { groups[index] = group } }
            let upstreams = Dictionary(configuration.upstreams.lazy.map { ($0.name, $0) }) { first, _ in first }
            for (index, binding) in configuration.bindings.enumerated() {
                let upstream = upstreams[binding.upstream]
                if let policy = binding.cache, let text = upstream.flatMap({ forwarded($0, policy) }) {
                    writer.comment(text)
                }
                if let group = groups[index] {
                    let others = group.filter { $0 != index }.map { configuration.bindings[$0].name }
                    writer.comment("One upstream request serves this and " + others.joined(separator: ", ") + ".")
                }
                self.binding(binding, upstreamHasBearer: upstream?.bearer != nil, &writer)
            }
        }
        return writer.text
    }

    private static func listener(_ listener: Listener) -> String {
        var members = ["address: " + YAMLWriter.scalar(listener.address.description)]
        switch listener.address {
        case .unix: members.append("mode: \"0\(String(listener.mode, radix: 8))\"")
        case .tcp where listener.tls == nil && listener.http2 && listener.grants == nil:
            return YAMLWriter.scalar(listener.address.description)
        case .tcp: break
        }
        if !listener.http2 { members.append("http2: false") }
        if listener.grants != nil { members.append("allow: \(grants(listener.grants))") }
        if let tls = listener.tls { members.append("tls: \(serverTLS(tls))") }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func limits(_ limits: Limits, _ writer: inout YAMLWriter) {
        writer.mapping("limits") { writer in
            for row in LimitsSection.rows {
                switch row {
                case .size(let name, let path, _, _): writer.key(name, Quantity.text(bytes: limits[keyPath: path]))
                case .count(let name, let path, _, _): writer.raw(name, String(limits[keyPath: path]))
                case .wait(let name, let path, _, _): writer.key(name, Quantity.text(limits[keyPath: path]))
                }
            }
        }
    }

    private static func json(_ template: Envelope.Template) -> String {
        switch template {
        case .object(let members):
            "{" + members.map { "\(PlainJSON.string($0.key)): \(json($0.value))" }.joined(separator: ", ") + "}"
        case .array(let items): "[" + items.map(json).joined(separator: ", ") + "]"
        case .string(let string): PlainJSON.string(string)
        case .literal(let literal): literal
        }
    }
}
