import SluiceContract
import SluiceRules

/// `tls:` of a listener: one certificate, or several, among which the client's SNI chooses.
enum ServerTLSSection {
    static let section = Section(
        name: "listener.tls", summary: "PEM files of a TLS listener, read again when they change",
        keys: [
            .init("certificate", .text(), "Certificate chain"),
            .init("key", .text(), "Private key; closed to other users"),
            .init(
                "certificates", .list(.section(identity)),
                "Instead of the two above: several, of which the name that the client asks for chooses"),
            .init("client-ca", .text(), "Authorities whose client certificates are accepted"),
            .init(
                "client-certificate", .choice(Listener.ServerTLS.ClientCertificate.allCases.map(\.rawValue)),
                default: Listener.ServerTLS.ClientCertificate.required.rawValue,
                "What becomes of a client that shows none, where there is a client-ca"),
        ])

    static let identity = Section(
        name: "listener.tls.certificate", summary: "One of several certificates; the first serves unknown names",
        keys: [
            .required("certificate", .text(), "Certificate chain"),
            .required("key", .text(), "Private key; closed to other users"),
        ])

    static func read(_ node: SourceNode, _ context: ReadingContext) -> Listener.ServerTLS? {
        var tls: Listener.ServerTLS?
        Fields.read(node, section, context) { fields in
            let identities = identities(fields, context)
            let clientCA = fields.node("client-ca").flatMap { context.file($0, isSecret: false) }
            var read = Listener.ServerTLS(identities, clientCA: clientCA)
            fields.set("client-certificate", &read.clientCertificate) { context.choice($0) }
            if fields.has("client-certificate"), !fields.has("client-ca") {
                context.findings.mistake(
                    at: fields.keyPlace("client-certificate"), "client certificates have no authority here",
                    expected: "'client-ca' with the file of their authority")
            }
            if !identities.isEmpty { tls = read }
        }
        return tls
    }

    private static func identities(_ fields: Fields, _ context: ReadingContext) -> [Listener.ServerTLS.Identity] {
        guard let list = fields.node("certificates") else {
            return identity(fields, context).map { [$0] } ?? []
        }
        for key in ["certificate", "key"] where fields.node(key) != nil {
            context.findings.mistake(
                at: fields.keyPlace(key), "'\(key)' stands beside 'certificates'",
                expected: "one of them: move this pair into the list, as its first item")
        }
        if list.items?.isEmpty == true {
            context.findings.mistake(
                at: list.place, "no certificate", expected: "at least one certificate with its key")
        }
        return context.items(list).compactMap { item in
            var read: Listener.ServerTLS.Identity?
            Fields.read(item, identity, context) { read = identity($0, context) }
            return read
        }
    }

    private static func identity(_ fields: Fields, _ context: ReadingContext) -> Listener.ServerTLS.Identity? {
        let certificate = fields.required("certificate").flatMap { context.file($0, isSecret: false) }
        let key = fields.required("key").flatMap { context.file($0, isSecret: true) }
        guard let certificate, let key else { return nil }
        return Listener.ServerTLS.Identity(certificate: certificate, key: key)
    }
}
