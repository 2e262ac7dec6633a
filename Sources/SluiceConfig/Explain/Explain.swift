public import SluiceContract
import SluiceRules

/// The effective configuration as YAML: defaults filled in, secrets redacted. What is switched off is left out, and
/// what the machine or another setting decides.
public enum Explain {
    /// The text that replaces a secret.
    public static let redacted = "REDACTED"

    /// The text reads back as the same configuration, except for redacted values.
    public static func yaml(_ configuration: Configuration) -> String {
        var writer = YAMLWriter()
        write(configuration, into: &writer)
        return writer.text
    }

    /// The same without default values: a page as a person would write it.
    public static func page(_ configuration: Configuration) -> String {
        var writer = YAMLWriter(leavesUsual: true)
        write(configuration, into: &writer)
        return writer.text
    }

    /// Every setting with its key path, such as `bindings."GET /fruits".cache.fresh`, and its value as ``yaml(_:)``
    /// writes it: secrets are redacted.
    public static func settings(_ configuration: Configuration) -> [(key: String, value: String)] {
        var writer = YAMLWriter(keepsValues: true)
        write(configuration, into: &writer)
        return writer.values.map { ($0.path.description, $0.text) }
    }

    private static func write(_ configuration: Configuration, into writer: inout YAMLWriter) {
        writer.raw("listen", "[" + configuration.listen.map(listener).joined(separator: ", ") + "]")
        clients(configuration, &writer)
        writer.settings(of: configuration)
        admin(configuration, &writer)
        writer.mapping("credentials", mayVanish: true) { writer in
            for credential in configuration.credentials {
                writer.mapping(credential.name) { writer in
                    (credential.kind as? any DeclaredCredential)?.write(into: &writer)
                }
            }
        }
        if let state = configuration.state { writer.key("state", state) }
        if let key = configuration.stateKey { writer.key("state-key", key.path) }
        writer.mapping("upstreams") { writer in
            for upstream in configuration.upstreams { self.upstream(upstream, &writer) }
        }
        writer.mapping("types", mayVanish: true) { writer in
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

    static func json(_ template: Envelope.Template) -> String {
        switch template {
        case .object(let members):
            "{" + members.map { "\(PlainJSON.string($0.key)): \(json($0.value))" }.joined(separator: ", ") + "}"
        case .array(let items): "[" + items.map(json).joined(separator: ", ") + "]"
        case .string(let string): PlainJSON.string(string)
        case .literal(let literal): literal
        }
    }
}
