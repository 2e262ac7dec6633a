import SluiceContract
import SluiceRules

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
}

extension Grants: SettingNotation {
    static var shape: Shape { .either([.section(GrantsSection.section), .choice(["any"])]) }
    static var absent: String? { "any" }

    /// `any` removes a restriction of an outer layer.
    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Grants>? {
        if node.text == "any" { return .off }
        guard node.entries != nil else {
            context.findings.mistake(
                at: node.place, "\(node.kind) does not say who is allowed",
                expected: "a mapping such as {uid: [alice]}, or any")
            return nil
        }
        var grants = Grants()
        var isWhole = true
        Fields.read(node, GrantsSection.section, context) { fields in
            func read<Value>(_ key: String, _ path: WritableKeyPath<Grants, [Value]>, _ read: (SourceNode) -> [Value]?)
            {
                guard let node = fields.node(key) else { return }
                if let values = read(node) { grants[keyPath: path] = values } else { isWhole = false }
            }
            let surroundings = context.reader.surroundings
            read("uid", \.users) { numbers($0, context, "user", surroundings.user) }
            read("gid", \.groups) { numbers($0, context, "group", surroundings.group) }
            read("subject", \.subjects) { subjects($0, context) }
            read("client", \.clients) { node in context.all(node) { context.text($0, what: "a client's name") } }
        }
        return isWhole ? .value(grants) : nil
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.raw(name, Explain.grants(self))
    }

    private static func numbers(
        _ node: SourceNode, _ context: ReadingContext, _ what: String, _ find: (String) -> UInt32?
    ) -> [UInt32]? {
        context.all(node) { item in
            guard let name = context.text(item, what: "a \(what)") else { return nil }
            if let number = UInt32(name) ?? find(name) { return number }
            context.findings.mistake(
                at: item.place, "there is no \(what) '\(name)' on this system", expected: "a number or a known name")
            return nil
        }
    }

    private static func subjects(_ node: SourceNode, _ context: ReadingContext) -> [CertificateName]? {
        context.all(node) { item in
            guard let text = context.text(item, what: "a certificate's name") else { return nil }
            if let name = CertificateName(notation: text) { return name }
            context.findings.mistake(
                at: item.place, "'\(text)' names nobody",
                expected: "a common name such as alice, or dns:agent.example, email:… or uri:…")
            return nil
        }
    }
}
