import SluiceContract
import SluiceRules

/// Finds the lines of a credential that may hold a secret. Below a kind or a key that is misspelt, or unknown, one may
/// stand as well: so what is shown is what is known to be none.
enum CredentialLines {
    /// Kinds whose secrets stand in a mapping below their word, wherever an author writes it.
    private static let words = Set(CredentialKinds.all.filter { !$0.isFlat }.map { $0.word })

    /// Hides what may be secret below `credentials:`.
    static func hide(below credentials: SourceNode, _ findings: Findings) {
        guard let entries = credentials.entries else { return SecretLines.hideAll(of: credentials, findings) }
        for entry in entries { hide(entry.value, CredentialsSection.section, findings) }
    }

    /// Whether a key of the page is `credentials:`, or was meant to be.
    static func isMeant(by key: String) -> Bool {
        Nearest.name(to: key, among: ["credentials"]) != nil
    }

    /// Hides what may be secret of a credential that stands where only its name may, or where nobody expects one.
    static func hide(inPlace entry: SourceNode.Mapping.Entry, _ findings: Findings) {
        let key = entry.key.text ?? ""
        if key == "credential" {
            for inner in entry.value.entries ?? [] { hide(choice: inner, findings) }
        } else if words.contains(key), let section = section(key),
            entry.value.entries?.contains(where: { section.key($0.key.text ?? "") != nil }) == true
        {
            hide(entry.value, section, findings)
        }
    }

    /// `credential:` as a mapping by client, or as a credential of its own.
    private static func hide(choice entry: SourceNode.Mapping.Entry, _ findings: Findings) {
        guard let key = CredentialChoiceSection.section.key(entry.key.text ?? "") else {
            return hide(entry, in: CredentialsSection.section, findings)
        }
        for given in (key.name == "map" ? entry.value.entries : nil) ?? [] where given.value.entries != nil {
            hide(given.value, CredentialsSection.section, findings)
        }
    }

    private static func section(_ word: String) -> Section? {
        guard case .section(let section)? = CredentialsSection.section.key(word)?.shape else { return nil }
        return section
    }

    private static func hide(_ node: SourceNode, _ section: Section, _ findings: Findings) {
        if node.isNull { return }
        guard let entries = node.entries else { return SecretLines.hideAll(of: node, findings) }
        for entry in entries { hide(entry, in: section, findings) }
    }

    private static func hide(_ entry: SourceNode.Mapping.Entry, in section: Section, _ findings: Findings) {
        guard let key = key(entry.key.text ?? "", in: section) else { return hideAll(of: entry, findings) }
        let value = entry.value
        switch key.shape {
        case .section(let source) where source.name == BearerSection.section.name:
            if !value.isNull, !isNamed(value) { hideAll(of: entry, findings) }
        case .section(let section): hide(value, section, findings)
        case .names: hide(names: value, findings)
        default:
            if value.entries != nil || value.text?.contains("PRIVATE KEY") == true { hideAll(of: entry, findings) }
            if key.name == "run" || key.name == "command" { hide(command: value, findings) }
        }
    }

    /// The key that an author writes, or means.
    private static func key(_ word: String, in section: Section) -> Section.Key? {
        if let key = section.key(word) { return key }
        guard case .didYouMean(let name)? = section.suggestion(for: word) else { return nil }
        return section.key(name)
    }

    /// Whether the source of a secret is a variable or a file. What is no variable's name may be the secret.
    private static func isNamed(_ node: SourceNode) -> Bool {
        guard BearerSection.isSource(node) else { return false }
        guard let name = node.value("env")?.text else { return true }
        return name.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0.isDigit || $0 == UInt8(ascii: "_") }
    }

    private static func hide(names node: SourceNode, _ findings: Findings) {
        for entry in node.entries ?? [] {
            let isSensitive = NamedText(name: entry.key.text ?? "", value: "").isSensitive
            if isSensitive || entry.value.text == nil { hideAll(of: entry, findings) }
        }
    }

    /// Arguments may be secrets; the program's name is none.
    private static func hide(command node: SourceNode, _ findings: Findings) {
        for (index, word) in (node.items ?? [node]).enumerated() where index > 0 || word.text?.contains(" ") == true {
            SecretLines.hideAll(of: word, findings)
        }
    }

    private static func hideAll(of entry: SourceNode.Mapping.Entry, _ findings: Findings) {
        SecretLines.hideAll(of: entry.key, findings)
        SecretLines.hideAll(of: entry.value, findings)
    }
}
