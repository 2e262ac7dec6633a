import SluiceContract

/// `allow:` of a listener or a binding: who may use it.
enum GrantsSection {
    static let section = Section(
        name: "allow", summary: "Who may use it; one of the grants is enough",
        keys: [
            .init("uid", .oneOrMany(.text()), default: "[]", "Users at a Unix socket, by number or name"),
            .init(
                "gid", .oneOrMany(.text()), default: "[]",
                "Groups at a Unix socket, by number or name; supplementary groups count"),
            .init("client", .oneOrMany(.text()), default: "[]", "Names under clients, shown by their keys"),
            .init(
                "subject", .oneOrMany(.text()), default: "[]",
                "Names in a client certificate: a common name, or dns:, email: or uri: and an alternative name"),
        ])

    static let shape = Shape.either([.section(section), .choice(["any"])])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `allow: any` opens what was closed.
    static func read(_ node: SourceNode, _ desk: Desk) -> Grants?? {
        if node.text == "any" { return .some(nil) }
        guard node.entries != nil else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) does not say who is allowed",
                expected: "a mapping such as {uid: [alice]}, or any")
            return nil
        }
        var grants = Grants()
        Fields.read(node, section, desk) { fields in
            if let node = fields.node("uid") {
                grants.users = numbers(node, desk, "user", desk.reader.surroundings.user)
            }
            if let node = fields.node("gid") {
                grants.groups = numbers(node, desk, "group", desk.reader.surroundings.group)
            }
            if let node = fields.node("subject") { grants.subjects = subjects(node, desk) }
            if let node = fields.node("client") { grants.clients = clients(node, desk) }
        }
        if grants == Grants(), node.entries?.isEmpty == true {
            desk.findings.mistake(
                at: node.place, "nobody is allowed", expected: section.keyList,
                suggestion: .advice("write allow: any where everybody is"))
        }
        return .some(grants)
    }

    private static func numbers(
        _ node: SourceNode, _ desk: Desk, _ what: String, _ find: (String) -> UInt32?
    ) -> [UInt32] {
        desk.items(node).compactMap { item in
            guard let name = desk.text(item, what: "a \(what)") else { return nil }
            if let number = UInt32(name) ?? find(name) { return number }
            desk.findings.mistake(
                at: item.place, "there is no \(what) '\(name)' on this system", expected: "a number or a known name")
            return nil
        }
    }

    /// Whether a certificate that a binding asks for can be shown anywhere.
    static func checkSubjects(_ configuration: Configuration, at place: SourceNode.Place, _ desk: Desk) {
        guard let binding = configuration.bindings.first(where: { $0.grants?.subjects.isEmpty == false }),
            !configuration.listen.contains(where: { $0.tls?.clientCA != nil })
        else { return }
        desk.findings.warning(
            at: place, "'\(binding.name)' allows certificates, and no listener asks its clients for one",
            suggestion: .advice("add 'client-ca:' to the 'tls:' of a listener"))
    }

    private static func subjects(_ node: SourceNode, _ desk: Desk) -> [CertificateName] {
        desk.items(node).compactMap { item in
            guard let text = desk.text(item, what: "a certificate's name") else { return nil }
            if let name = CertificateName(notation: text) { return name }
            desk.findings.mistake(
                at: item.place, "'\(text)' names nobody",
                expected: "a common name such as alice, or dns:agent.example, email:… or uri:…")
            return nil
        }
    }

    private static func clients(_ node: SourceNode, _ desk: Desk) -> [String] {
        desk.items(node).compactMap { item in
            guard let name = desk.text(item, what: "a client's name") else { return nil }
            guard desk.clientNames.contains(name) else {
                desk.findings.mistake(
                    at: item.place, "there is no client '\(name)'",
                    expected: desk.clientNames.isEmpty
                        ? "a name under 'clients:'" : desk.clientNames.joined(separator: ", "),
                    suggestion: Nearest.suggestion(for: name, among: desk.clientNames))
                return nil
            }
            return name
        }
    }
}
