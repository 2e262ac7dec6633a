import SluiceContract

/// Finds the lines of a file that may hold a secret, so that no message shows them (DESIGN §8).
enum SecretLines {
    /// Everything below a `bearer:` or `password:`, fields with names such as `X-Api-Key`, and URLs with a password.
    static func hide(in node: SourceNode, _ findings: Findings) {
        switch node.content {
        case .scalar(let scalar):
            // `bearer:abc` without its space is a text.
            let name = String(scalar.text.prefix { $0 != ":" })
            let isKey = name.utf8.count < scalar.text.utf8.count
            if isKey, SensitiveName.matches(field: name) || name.hasSuffix("bearer") {
                hideAll(of: node, findings)
            }
        case .sequence(let items):
            for item in items { hide(in: item, findings) }
        case .mapping(let mapping):
            for entry in mapping.entries {
                let key = entry.key.text ?? ""
                if key == "bearer" || key == "password" || isTelling(key, entry.value) {
                    hideAll(of: entry.key, findings)
                    hideAll(of: entry.value, findings)
                }
                for parameter in (key == "params" ? entry.value.entries : nil) ?? [] { hide(parameter, findings) }
                for header in (key == "headers" ? entry.value.entries : nil) ?? []
                where SensitiveName.matches(field: header.key.text ?? "") {
                    hideAll(of: header.value, findings)
                }
                hide(in: entry.value, findings)
            }
        }
    }

    /// The value that a parameter with a telling name has by default, or always.
    private static func hide(_ parameter: SourceNode.Mapping.Entry, _ findings: Findings) {
        let names = [parameter.key.text, parameter.value.value("as")?.text].compactMap(\.self)
        guard names.contains(where: { SensitiveName.matches($0) }) else { return }
        var values = ["default", "fixed"].compactMap { parameter.value.value($0) }
        if let text = parameter.value.text, let equals = text.firstIndex(of: "=") {
            let value = text[text.index(after: equals)...].drop { $0 == " " }
            findings.hide(String(value))
            values.append(parameter.value)
        }
        for value in values {
            hideAll(of: value, findings)
            if value.text != parameter.value.text { value.text.map(findings.hide) }
        }
    }

    private static let tellingWords = ["token", "secret", "password", "auth", "api-key"].map { Array($0.utf8) }

    /// A URL with a password, or a `token:` that nobody reads and a message is about to show.
    private static func isTelling(_ key: String, _ value: SourceNode) -> Bool {
        guard let text = value.text, !text.isEmpty else { return false }
        if key == "url" || key == "shared" { return text.contains("@") }
        let name = key.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return tellingWords.contains { word in
            name.count >= word.count
                && name.indices.dropLast(word.count - 1).contains { name[$0...].starts(with: word) }
        }
    }

    /// For a file that is no YAML: the line itself and its neighbours decide.
    ///
    /// - Returns: whether a secret may stand there.
    @discardableResult static func hide(around line: Int, _ findings: Findings) -> Bool {
        let near = findings.lines.indices.filter { ($0 - line + 1).magnitude <= 3 }
        let isSecret = near.contains { index in
            let text = findings.lines[index].lowercased()
            return text.contains("bearer") || text.contains("@") || SensitiveName.matches(field: text)
        }
        if isSecret { findings.hide(line: line) }
        return isSecret
    }

    private static func hideAll(of node: SourceNode, _ findings: Findings) {
        findings.hide(line: node.place.line)
        switch node.content {
        case .scalar(let scalar):
            for offset in 0...scalar.text.count(where: { $0 == "\n" }) + 1 where scalar.style == .block {
                findings.hide(line: node.place.line + offset)
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
