import SluiceContract

/// `tls:` of an upstream, and of other servers that the gateway is a client of.
enum ClientTLSSection {
    static let section = Section(
        name: "upstream.tls", summary: "Certificates towards an https upstream",
        keys: [
            .init("ca", .text(), "PEM file of authorities trusted beside the system's"),
            .init("certificate", .text(), "PEM file of the client certificate"),
            .init("key", .text(), "PEM file of its private key; closed to other users"),
            .init("server-name", .text(), default: "the URL's host", "The name that is verified and sent as SNI"),
            .init(
                "verify", .flag, default: "true", "Off for experiments: anyone on the way can then read the token"),
        ])

    /// - Parameter peer: what a message calls the other side.
    static func read(_ node: SourceNode, _ desk: Desk, peer: String = "upstream", into tls: inout Upstream.ClientTLS) {
        Fields.read(node, section, desk) { fields in
            fields.set("ca", &tls.ca) { desk.file($0, isSecret: false) }
            fields.set("certificate", &tls.certificate) { desk.file($0, isSecret: false) }
            fields.set("key", &tls.key) { desk.file($0, isSecret: true) }
            fields.set("server-name", &tls.serverName) { serverName($0, desk) }
            fields.set("verify", &tls.verify, desk.flag)
            if fields.has("certificate") != fields.has("key") {
                desk.findings.mistake(
                    at: fields.place, "a client certificate needs its key, and a key its certificate",
                    expected: "both of certificate and key")
            }
            if !tls.verify {
                desk.findings.warning(
                    at: fields.keyPlace("verify"), "the \(peer)'s certificate is not verified",
                    suggestion: .advice("name its authority with 'ca:'"))
            }
        }
    }

    private static func serverName(_ node: SourceNode, _ desk: Desk) -> String? {
        guard let name = desk.text(node, what: "a host name") else { return nil }
        guard HostPort.isName(name) || HostPort.isIPv4(name) || HostPort.isIPv6(name) else {
            desk.findings.mistake(at: node.place, "'\(name)' is no host name", expected: "a name such as api.example")
            return nil
        }
        return name
    }
}
