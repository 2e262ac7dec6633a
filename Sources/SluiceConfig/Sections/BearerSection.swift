import SluiceContract
import SluiceRules

/// `bearer:` of an upstream: the source of its token.
enum BearerSection {
    static let section = Section(
        name: "upstream.bearer", summary: "Where the token comes from; exactly one of the keys",
        keys: [
            .init("value", .text(), "The token itself"),
            .init("env", .text(), "Name of the environment variable that holds it"),
            .init("file", .text(), "File that holds it; looked up in $CREDENTIALS_DIRECTORY, then beside this file"),
        ],
        holdsSecrets: true)

    /// - Parameter noun: what the source is for, in messages.
    static func read(_ node: SourceNode, _ context: ReadingContext, noun: String = "bearer") -> TokenSource? {
        guard node.entries != nil else {
            let advice: Suggestion? =
                switch node.text {
                case "false", "no", "off": .advice("leave the key out where there is no token")
                case .some(let text) where ReadingContext.variable(in: text)?.text.count == text.count:
                    ReadingContext.variable(in: text).map { .advice("write {env: \($0.name)}") }
                case .some where !node.isNull: .advice("write {value: …}, {env: NAME} or {file: NAME}")
                default: nil
                }
            context.findings.mistake(
                at: node.place, "a \(noun) is a mapping", expected: section.keyList, suggestion: advice)
            return nil
        }
        var source: TokenSource?
        Fields.read(node, section, context) { fields in
            let present = ["value", "env", "file"].filter { fields.has($0) }
            if present.count != 1 {
                context.findings.mistake(
                    at: node.place, present.isEmpty ? "the token has no source" : "the token has several sources",
                    expected: "exactly one of value, env, file")
            }
            if let node = fields.node("value") { source = context.text(node, what: "a token").map { .value($0) } }
            source = self.source(fields, context) ?? source
        }
        return source
    }

    /// The source that `env:` or `file:` of a mapping names.
    static func source(_ fields: Fields, _ context: ReadingContext) -> TokenSource? {
        let variable = fields.node("env").flatMap { Self.variable($0, context) }
        return fields.node("file").flatMap { file($0, context) } ?? variable
    }

    /// Whether the node is `{env: NAME}` or `{file: NAME}` in the place of a value.
    static func isSource(_ node: SourceNode) -> Bool {
        guard let entries = node.entries, entries.count == 1 else { return false }
        return ["env", "file"].contains(entries[0].key.text) && entries[0].value.text != nil
    }

    private static func variable(_ node: SourceNode, _ context: ReadingContext) -> TokenSource? {
        guard let name = context.text(node, what: "a variable's name") else { return nil }
        if context.reader.secrets == .ignored { return .env(name) }
        guard let token = context.reader.environment[name] else {
            let near = Nearest.suggestion(for: name, among: context.reader.environment.keys.sorted())
            // A text that does not look like a variable's name may be the token itself.
            let isName = name.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0.isDigit || $0 == UInt8(ascii: "_") }
            let shown = near != nil || isName ? "'\(name)'" : "of this name"
            if isName, context.reader.secrets == .reported {
                context.findings.warning(
                    at: node.place, "the environment has no variable \(shown) here",
                    suggestion: near ?? .advice(ReadingContext.unset))
                return .env(name)
            }
            context.findings.mistake(
                at: node.place, "the environment has no variable \(shown)", expected: "a variable that holds the token",
                suggestion: near)
            return nil
        }
        guard TokenText.isToken(token) else {
            context.findings.mistake(
                at: node.place, "variable '\(name)' holds no token", expected: "visible ASCII characters")
            return nil
        }
        return .env(name)
    }

    private static func file(_ node: SourceNode, _ context: ReadingContext) -> TokenSource? {
        guard let path = context.file(node, isSecret: true) else { return nil }
        // Secrets are ignored, or the file cannot be read, which has been reported already.
        guard context.reader.secrets != .ignored, case .success(let bytes) = context.reader.surroundings.contents(path)
        else { return .file(path) }
        do throws(TokenText.Fault) {
            _ = try TokenText.read(bytes)
            return .file(path)
        } catch {
            context.findings.mistake(
                at: node.place, "file '\(path)' \(error.reason)", expected: "one line of visible ASCII characters")
            return nil
        }
    }
}
