import SluiceContract

/// `hosts:`: what `Host` may say, against DNS rebinding.
enum HostsSection {
    static let shape = Shape.either([.choice(["any"]), .list(.text())])

    static func read(_ node: SourceNode, _ desk: Desk) -> Hosts? {
        if node.text == "any" { return .any }
        guard let items = node.items else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) where host names are wanted", expected: "a list of names, or any",
                suggestion: node.text.flatMap { text in
                    let name = HostPort.split(text)?.host ?? text
                    return text == "*" ? .didYouMean("any") : HostPort.isName(name) ? .didYouMean("[\(name)]") : nil
                })
            return nil
        }
        var names: [String] = []
        for item in items {
            guard let name = desk.text(item, what: "a host name")?.lowercased() else { continue }
            guard HostPort.isName(name) || HostPort.isIPv4(name) || HostPort.isIPv6(name) else {
                desk.findings.mistake(
                    at: item.place, "'\(name)' is no host name", expected: "a name without scheme and port",
                    suggestion: HostPort.split(name).map { .didYouMean($0.host) })
                continue
            }
            if !names.contains(name) { names.append(name) }
        }
        return .names(names)
    }
}
