import SluiceContract

/// `cors:`: the pages of other origins that may use a binding.
enum CrossOriginSection {
    private static let model = CrossOriginPolicy(.any)

    static let section = Section(
        name: "cors", summary: "Pages of other origins that may use a binding, and what they may do",
        keys: [
            .required(
                "origins", .either([.choice(["any"]), .oneOrMany(.text())]),
                "Origins such as https://app.example:8443, exactly, or any"),
            .init(
                "headers", .either([.choice(["any"]), .oneOrMany(.text())]), default: "any",
                "Request fields that a page may send"),
            .init("expose", .oneOrMany(.text()), default: "[]", "Response fields that a page may read"),
            .init(
                "credentials", .flag, default: String(model.credentials),
                "Whether cookies and other credentials of the browser may come along"),
            .init(
                "max-age", .duration, default: Quantity.text(model.maxAge),
                "How long a browser may remember what it was told"),
            .init(
                "private-network", .flag, default: String(model.privateNetwork),
                "Whether pages of the public network may reach in here"),
        ])

    static let shape = Shape.either([.section(section), .choice(["any", "false"]), .oneOrMany(.text())])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `cors: false` switches an inherited policy off.
    static func read(_ node: SourceNode, _ desk: Desk) -> CrossOriginPolicy?? {
        if ["false", "no", "off"].contains(node.text) { return .some(nil) }
        guard node.entries != nil else { return origins(node, desk).map { CrossOriginPolicy($0) } }
        var policy: CrossOriginPolicy?
        Fields.read(node, section, desk) { fields in
            var read = model
            let origins = fields.required("origins").flatMap { self.origins($0, desk) }
            if let node = fields.node("headers"), node.text != "any" { read.headers = names(node, desk) }
            if let node = fields.node("expose") { read.expose = names(node, desk) }
            fields.set("credentials", &read.credentials, desk.flag)
            fields.set("max-age", &read.maxAge, desk.duration)
            fields.set("private-network", &read.privateNetwork, desk.flag)
            guard let origins else { return }
            read.origins = origins
            if origins == .any, read.credentials {
                desk.findings.warning(
                    at: fields.keyPlace("credentials"), "every page on the web may use this with the user's cookies",
                    suggestion: .advice("name the origins that need them"))
            }
            policy = read
        }
        return policy
    }

    private static func names(_ node: SourceNode, _ desk: Desk) -> [String] {
        desk.items(node).compactMap { item in
            guard let name = desk.text(item, what: "a field name") else { return nil }
            guard Name.isToken(name) else {
                desk.findings.mistake(at: item.place, "'\(name)' is no field name", expected: "letters, digits and '-'")
                return nil
            }
            return name
        }
    }

    private static func origins(_ node: SourceNode, _ desk: Desk) -> CrossOriginPolicy.Origins? {
        if node.text == "any" { return .any }
        let items = desk.items(node)
        let origins = items.compactMap { origin($0, desk) }
        return origins.count == items.count && !origins.isEmpty ? .list(origins) : nil
    }

    /// As a browser writes it (RFC 6454 §6.2): no path, no slash behind, no usual port.
    private static func origin(_ node: SourceNode, _ desk: Desk) -> String? {
        guard let text = desk.text(node, what: "an origin")?.lowercased() else { return nil }
        if text == "null" { return text }
        func wrong(_ suggestion: Mistake.Suggestion? = nil) {
            desk.findings.mistake(
                at: node.place, "'\(text)' is no origin", expected: "scheme://host or scheme://host:port, or any",
                suggestion: suggestion)
        }
        guard let separator = text.firstRange(of: "://"), !text.hasPrefix("://") else {
            let isAny = ["*", "true", "yes", "on", "all"].contains(text)
            wrong(isAny ? .didYouMean("any") : HostPort.isName(text) ? .didYouMean("https://\(text)") : nil)
            return nil
        }
        let scheme = text[..<separator.lowerBound]
        var authority = String(text[separator.upperBound...])
        if let slash = authority.firstIndex(of: "/") {
            wrong(.didYouMean("\(scheme)://\(authority[..<slash])"))
            return nil
        }
        let split = HostPort.split(authority)
        let host = split?.host ?? authority.withoutBrackets
        guard HostPort.isName(host) || HostPort.isIPv4(host) || HostPort.isIPv6(host) else {
            wrong()
            return nil
        }
        let usual = ["http": 80, "https": 443][String(scheme)]
        if let split, split.port == usual {
            authority = String(authority.dropLast(String(split.port).count + 1))
        }
        return "\(scheme)://\(authority)"
    }
}

extension String {
    /// Without the brackets around an IPv6 literal.
    fileprivate var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
