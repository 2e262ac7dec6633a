import SluiceContract
import SluiceRules

/// `hosts:`: the names that `Host` may have, against DNS rebinding.
extension Hosts: SettingNotation {
    static var shape: Shape { .either([.choice(["any"]), .list(.text())]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Hosts>? {
        if node.text == "any" { return .value(.any) }
        guard node.items != nil else {
            context.findings.mistake(
                at: node.place, "\(node.kind) where host names are wanted", expected: "a list of names, or any",
                suggestion: node.text.flatMap { text in
                    let name = HostPort.split(text)?.host ?? text
                    return text == "*" ? .didYouMean("any") : HostPort.isName(name) ? .didYouMean("[\(name)]") : nil
                })
            return nil
        }
        return context.all(node) { context.text($0, what: "a host name")?.lowercased() }.map { .value(.names($0)) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .any: writer.key(name, "any")
        case .names(let names): writer.list(name, names)
        }
    }
}
