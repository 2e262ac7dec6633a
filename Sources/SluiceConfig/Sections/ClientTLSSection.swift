import SluiceContract
import SluiceRules

/// `tls:` of an upstream, and of other servers that the gateway is a client of.
enum ClientTLSSection {
    static let section = Section(
        name: "upstream.tls", summary: "Certificates towards an https upstream",
        keys: [
            .init("ca", .text(), "PEM file of authorities trusted beside the system's"),
            .init("certificate", .text(), "PEM file of the client certificate"),
            .init("key", .text(), "PEM file of its private key; closed to other users"),
            .init("server-name", .text(), default: "the URL's host", "The name that is verified and sent as SNI"),
            Upstream.ClientTLS.key("verify"),
        ])

    static func read(_ node: SourceNode, _ context: ReadingContext) -> Layer<Upstream.ClientTLS> {
        var layer = Layer<Upstream.ClientTLS>()
        Fields.read(node, section, context) { fields in
            fields.read(Upstream.ClientTLS.settings, into: &layer)
            fields.say("ca", \.ca, in: &layer) { context.file($0, isSecret: false) }
            fields.say("certificate", \.certificate, in: &layer) { context.file($0, isSecret: false) }
            fields.say("key", \.key, in: &layer) { context.file($0, isSecret: true) }
            fields.say("server-name", \.serverName, in: &layer) { context.text($0, what: "a host name") }
        }
        return layer
    }
}

extension Upstream.ClientTLS: SettingNotation {
    static var shape: Shape { .section(ClientTLSSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Upstream.ClientTLS>? {
        guard node.isSwitch else { return .layer(ClientTLSSection.read(node, context)) }
        context.findings.mistake(
            at: node.place, "\(node.kind) where a mapping is wanted",
            suggestion: .advice(
                node.isOff
                    ? "write tls: {verify: false}; everybody on the way can then read the token"
                    : "leave it out: a url that begins with https:// is enough"))
        return nil
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        Explain.tls(self, &writer)
    }
}
