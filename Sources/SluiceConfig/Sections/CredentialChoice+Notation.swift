import SluiceContract
import SluiceRules

/// `credential:` of an upstream or a binding: a name, `none`, or a mapping by client.
enum CredentialChoiceSection {
    static let none = "none"
    static let section = Section(
        name: "credential-choice", summary: "A credential for each client",
        keys: [
            .required("by", .choice(["client"]), "What it depends on"),
            .required(
                "map", .names(pattern: nil, .text()),
                "Credentials by the names under clients, or by users of a Unix socket as uid:NUMBER"),
            .init(
                "default", .text(), default: "refused",
                "The credential of everybody else, or none; without it they are refused"),
        ])
}

extension CredentialChoice: SettingNotation {
    static var shape: Shape { .either([.text(), .section(CredentialChoiceSection.section)]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<CredentialChoice>? {
        if node.entries == nil {
            return context.text(node, what: "a name under 'credentials:', or none").map { text in
                .value(text == CredentialChoiceSection.none ? .none : .named(text))
            }
        }
        let kinds = Set(CredentialKinds.all.map { $0.word })
        if node.entries?.contains(where: { kinds.contains($0.key.text ?? "") }) == true {
            context.findings.hide(lineOf: node.place)
            context.findings.mistake(
                at: node.place, "a credential has a name", expected: "a name under 'credentials:', or none",
                suggestion: .advice(ForeignKey.credentialAdvice))
            return nil
        }
        var entries: [Entry] = []
        var otherwise = Given.refused
        var isWhole = true
        Fields.read(node, CredentialChoiceSection.section, context) { fields in
            if let by = fields.required("by"), by.text != "client" {
                context.findings.mistake(at: by.place, "\(by.kind) is not known here", expected: "client")
                isWhole = false
            }
            if let map = fields.required("map") {
                for (name, key, value) in context.named(map, what: "credentials by client") {
                    guard let asker = asker(name, key, context),
                        let credential = context.text(value, what: "a credential's name")
                    else {
                        isWhole = false
                        continue
                    }
                    entries.append(Entry(asker, Given(credential)))
                }
            } else {
                isWhole = false
            }
            if let node = fields.node("default"), let name = context.text(node, what: "a credential's name") {
                otherwise = Given(name)
            }
        }
        return isWhole ? .value(.byClient(entries, otherwise: otherwise)) : nil
    }

    private static func asker(_ name: String, _ key: SourceNode, _ context: ReadingContext) -> Asker? {
        guard name.hasPrefix("uid:") else { return .client(name) }
        let user = String(name.dropFirst(4))
        if let number = UInt32(user) ?? context.reader.surroundings.user(user) { return .user(number) }
        context.findings.mistake(
            at: key.place, "there is no user '\(user)' on this system", expected: "uid: and a number or a known name")
        return nil
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .none: writer.key(name, CredentialChoiceSection.none)
        case .named(let credential): writer.key(name, credential)
        case .byClient(let entries, let otherwise):
            writer.mapping(name) { writer in
                writer.key("by", "client")
                writer.mapping("map") { writer in
                    for entry in entries {
                        let asker =
                            switch entry.client {
                            case .client(let name): name
                            case .user(let number): "uid:\(number)"
                            }
                        writer.key(asker, entry.given.text)
                    }
                }
                if otherwise != .refused { writer.key("default", otherwise.text) }
            }
        }
    }
}

extension CredentialChoice.Given {
    fileprivate init(_ text: String) {
        self = text == CredentialChoiceSection.none ? .none : .named(text)
    }

    fileprivate var text: String {
        switch self {
        case .none, .refused: CredentialChoiceSection.none
        case .named(let name): name
        }
    }
}
