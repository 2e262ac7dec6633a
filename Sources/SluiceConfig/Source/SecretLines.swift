import SluiceContract
import SluiceRules

/// Finds the lines of a file that may hold a secret, so that no message shows them (DESIGN §8).
enum SecretLines {
    /// Keys whose values are secrets, even where the key itself is a mistake.
    private static let keys: Set<String> = ["bearer", "password", "basic", "api-key"]

    /// Everything below a `bearer:` or `password:`, fields with names such as `X-Api-Key`, what may be secret of a
    /// credential, and URLs with a password or a key.
    static func hide(in root: SourceNode, _ findings: Findings) {
        for entry in root.entries ?? [] where CredentialLines.isMeant(by: entry.key.text ?? "") {
            CredentialLines.hide(below: entry.value, findings)
        }
        let types = (root.value("types")?.entries ?? []).compactMap(\.key.text)
        hide(in: root, types: Set(types + Scalar.names.map(\.name)), findings)
    }

    private static func hide(in node: SourceNode, types: Set<String>, _ findings: Findings) {
        switch node.content {
        case .scalar(let scalar):
            // `bearer:abc` without its space is a text.
            let name = String(scalar.text.prefix { $0 != ":" })
            let isKey = name.utf8.count < scalar.text.utf8.count
            let isSecret = isKey && (SensitiveName.matches(field: name) || name.hasSuffix("bearer"))
            if isSecret || URLText.hasUser(scalar.text) || ShownText.hasSecret(inQueryOf: scalar.text) {
                hideAll(of: node, findings)
            }
        case .sequence(let items):
            for item in items { hide(in: item, types: types, findings) }
        case .mapping(let mapping):
            for entry in mapping.entries {
                let key = entry.key.text ?? ""
                if keys.contains(key) || isTelling(key, entry.value) {
                    hideAll(of: entry.key, findings)
                    hideAll(of: entry.value, findings)
                }
                CredentialLines.hide(inPlace: entry, findings)
                for parameter in (key == "params" ? entry.value.entries : nil) ?? [] {
                    hide(parameter, types: types, findings)
                }
                for header in (key == "headers" ? entry.value.entries : nil) ?? []
                where SensitiveName.matches(field: header.key.text ?? "") {
                    hideAll(of: header.value, findings)
                }
                hide(in: entry.value, types: types, findings)
            }
        }
    }

    /// Hides the default and the fixed value of a parameter whose name sounds sensitive; also a text in the place of
    /// its type that is not a type, because it may be the value.
    private static func hide(_ parameter: SourceNode.Mapping.Entry, types: Set<String>, _ findings: Findings) {
        // A `?` behind the name is a mistake of its own (`ParameterSection`).
        let name = parameter.key.text.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
        let names = [name, parameter.value.value("as")?.text].compactMap(\.self)
        guard names.contains(where: { SensitiveName.matches($0) }) else { return }
        for value in ["default", "fixed"].compactMap({ parameter.value.value($0) }) {
            hideAll(of: value, findings)
            value.text.map(findings.hide)
        }
        for node in [parameter.value, parameter.value.value("type")].compactMap(\.self).flatMap(elements) {
            guard let text = node.text else { continue }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                findings.hide(String(parts[1].drop { $0 == " " }))
                hideAll(of: node, findings)
            }
            let type = String(parts[0])
            if isType(type, types) { continue }
            hideAll(of: node, findings)
            findings.hide(text)
            // Messages may name parts of the text.
            for part in type.split(whereSeparator: { !($0.isLetter || $0.isNumber || "_-".contains($0)) })
            where part.utf8.count >= partBytesMin && !types.contains(String(part)) {
                findings.hide(String(part))
            }
        }
    }

    /// The innermost elements of nested lists.
    private static func elements(_ node: SourceNode) -> [SourceNode] { node.items?.flatMap(elements) ?? [node] }

    /// Shorter parts of a text reveal little, and occur in many other texts.
    private static let partBytesMin = 3

    /// Whether a text is a type, a set of several strings, or another language's name for a type.
    private static func isType(_ text: String, _ types: Set<String>) -> Bool {
        guard let reading = try? TypeNotation.type(text) else { return false }
        if !reading.mentions.allSatisfy({ types.contains($0.name) || ForeignType.name(for: $0.name) != nil }) {
            return false
        }
        if !reading.constants.isEmpty { return false }
        return reading.words.count != 1 || ForeignType.name(for: reading.words[0].name) != nil
    }

    private static let tellingWords = ["token", "secret", "password", "auth", "api-key", "api_key", "apikey"]
        .map { Array($0.utf8) }
    /// Keys of URLs. A password may stand in what is no URL (`me:PASSWORD@host`), and a key alone in a query.
    private static let urlKeys: Set<String> = [
        "url", "shared", "endpoint", "issuer", "token-url", "authorize-url", "device-url", "revoke-url",
    ]

    /// A URL with a password, a `client-secret: {value: …}`, or an unknown `token:` that a message is about to show.
    private static func isTelling(_ key: String, _ value: SourceNode) -> Bool {
        guard value.value("value") != nil || value.text?.isEmpty == false else { return false }
        if urlKeys.contains(key) { return value.text?.contains { $0 == "@" || $0 == "?" } ?? false }
        let name = key.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return tellingWords.contains { word in
            name.count >= word.count
                && name.indices.dropLast(word.count - 1).contains { name[$0...].starts(with: word) }
        }
    }

    /// For a file that is not valid YAML: decides by the line itself, its neighbours, and the keys that it stands
    /// below.
    ///
    /// - Returns: whether the line may hold a secret.
    @discardableResult static func hide(around line: Int, _ findings: Findings) -> Bool {
        let near = findings.lines.indices.filter { ($0 - line + 1).magnitude <= 3 }
        let isSecret = (near + enclosing(line, findings)).contains { index in
            let text = findings.lines[index].lowercased()
            return text.contains("bearer") || text.contains("@") || SensitiveName.matches(field: text)
        }
        if isSecret { findings.hide(line: line) }
        return isSecret
    }

    /// Positions of the lines above that enclose this line: each is indented less than the one found before. The line
    /// belongs to their mappings, however far away they are.
    private static func enclosing(_ line: Int, _ findings: Findings) -> [Int] {
        let lines = findings.lines
        guard lines.indices.contains(line - 1) else { return [] }
        func indentation(_ index: Int) -> Int? {
            let spaces = lines[index].prefix { $0 == " " || $0 == "\t" }.count
            return spaces == lines[index].count ? nil : spaces
        }
        var least = indentation(line - 1) ?? .max
        var found: [Int] = []
        for index in lines.indices.prefix(line - 1).reversed() {
            guard let spaces = indentation(index), spaces < least else { continue }
            least = spaces
            found.append(index)
            if least == 0 { break }
        }
        return found
    }

    /// Hides every line of a node.
    static func hideAll(of node: SourceNode, _ findings: Findings) {
        findings.hide(lineOf: node.place)
        switch node.content {
        case .scalar(let scalar):
            var place = node.place
            for _ in 0...scalar.text.count(where: { $0 == "\n" }) where scalar.style == .block {
                place.line += 1
                findings.hide(lineOf: place)
            }
        case .sequence(let items):
            for item in items { hideAll(of: item, findings) }
        case .mapping(let mapping):
            for entry in mapping.entries {
                hideAll(of: entry.key, findings)
                hideAll(of: entry.value, findings)
            }
        }
    }
}
