import SluiceContract
import SluiceRules

/// `credentials:`: the credentials that the gateway sends to upstreams, by name. The kinds and their keys are those of
/// ``CredentialKinds``.
enum CredentialsSection {
    static let section = Section(
        name: "credential",
        summary: "What requests to upstreams are given; exactly one of the kinds "
            + CredentialKinds.keyList,
        keys: CredentialKinds.all.flatMap(keys), holdsSecrets: true)

    /// The keys of a kind in the credential's mapping.
    private static func keys(of kind: any DeclaredCredential.Type) -> [Section.Key] {
        if kind.isFlat { return kind.keys }
        return [.init(kind.word, .section(section(of: kind)), kind.summary)]
    }

    private static func section(of kind: any DeclaredCredential.Type) -> Section {
        Section(
            name: "credential.\(kind.word)", summary: kind.summary, keys: kind.keys, holdsSecrets: true,
            bareKey: kind.keys.first { $0.isRequired || $0.name == "run" }?.name)
    }

    static func read(_ node: SourceNode?, _ context: ReadingContext) -> [CredentialDeclaration] {
        guard let node else { return [] }
        return context.named(node, what: "credentials by name").map { name, _, value in
            var declaration = CredentialDeclaration(unread: name)
            Fields.read(value, section, context) { fields in
                let present = CredentialKinds.all.filter { fields.has($0.word) }
                for kind in CredentialKinds.all { read(kind, of: present, fields, name, into: &declaration) }
                if present.count != 1 {
                    context.findings.mistake(
                        at: value.place,
                        present.isEmpty ? "this credential is of no kind" : "this credential is of several kinds",
                        expected: "exactly one of \(CredentialKinds.keyList)")
                }
            }
            return declaration
        }
    }

    /// Reads the keys of one kind, which are allowed only where the credential is of that kind.
    private static func read<Kind: DeclaredCredential>(
        _: Kind.Type, of present: [any DeclaredCredential.Type], _ fields: Fields, _ name: String,
        into declaration: inout CredentialDeclaration
    ) {
        let context = fields.context
        guard fields.has(Kind.word) else {
            _ = fields.node(Kind.word)
            for setting in Kind.isFlat ? Kind.settings : [] where fields.node(setting.name) != nil {
                if present.contains(where: { kind in kind.isFlat && kind.keys.contains { $0.name == setting.name } }) {
                    continue
                }
                context.findings.mistake(
                    at: fields.keyPlace(setting.name), "'\(setting.name)' belongs to '\(Kind.word)'",
                    expected: "the keys of one kind")
            }
            return
        }
        if Kind.isFlat {
            declaration = CredentialDeclaration(name, layer(of: Kind.self, fields))
        } else if let node = fields.node(Kind.word) {
            Fields.read(node, section(of: Kind.self), context) { inner in
                declaration = CredentialDeclaration(name, layer(of: Kind.self, inner))
            }
        }
    }

    private static func layer<Kind: DeclaredCredential>(of: Kind.Type, _ fields: Fields) -> Layer<Kind> {
        for setting in Kind.settings where setting.isRequired { _ = fields.required(setting.name) }
        return fields.layer()
    }
}

extension DeclaredCredential {
    /// Writes the settings in the notation in which they are read.
    func write(into writer: inout YAMLWriter) {
        if Self.isFlat {
            writer.settings(of: self)
        } else {
            writer.mapping(Self.word) { $0.settings(of: self) }
        }
    }
}

// MARK: - Parts of them

extension TokenSource: SettingNotation {
    static var shape: Shape { .section(BearerSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<TokenSource>? {
        BearerSection.read(node, context, noun: "secret").map { .value($0) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .value: writer.raw(name, "{value: \(Explain.redacted)}")
        case .env(let variable): writer.raw(name, "{env: \(YAMLWriter.scalar(variable))}")
        case .file(let path): writer.raw(name, "{file: \(YAMLWriter.scalar(path))}")
        }
    }
}

extension KeyFile: SettingNotation {
    static var shape: Shape { .text() }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<KeyFile>? {
        context.file(node, isSecret: true).map { .value(KeyFile(path: $0)) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) { writer.key(name, path) }
}

extension NamedText: ListNotation {
    static var listShape: Shape { .names(pattern: nil, .text()) }

    static func saying(list node: SourceNode, _ context: ReadingContext) -> Saying<[NamedText]>? {
        .value(
            context.named(node, what: "texts by name").compactMap { name, _, value in
                context.text(value, what: "a text").map { .init(name: name, value: $0) }
            })
    }

    static func write(_ list: [NamedText], _ name: String, _ writer: inout YAMLWriter) {
        guard !list.isEmpty else { return }
        writer.mapping(name) { writer in
            for text in list {
                // The signature of a request, and the key's name, stand under names like a credential's.
                let isTemplate = ["{signature}", "{key-id}"].contains { text.value.contains($0) }
                writer.key(text.name, text.isSensitive && !isTemplate ? Explain.redacted : text.value)
            }
        }
    }
}
