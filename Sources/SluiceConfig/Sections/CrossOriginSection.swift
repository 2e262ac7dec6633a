import SluiceContract
import SluiceRules

/// `cors:`: the pages of other origins that may use a binding.
enum CrossOriginSection {
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
        ] + CrossOriginPolicy.keys)
}

extension CrossOriginPolicy: SettingNotation {
    static var shape: Shape {
        .either([.section(CrossOriginSection.section), .choice(["any", "false"]), .oneOrMany(.text())])
    }
    static var absent: String? { "false" }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<CrossOriginPolicy>? {
        if node.isOff { return .off }
        guard node.entries != nil else { return origins(node, context).map { .value(CrossOriginPolicy($0)) } }
        var layer = Layer<CrossOriginPolicy>()
        var isWhole = false
        Fields.read(node, CrossOriginSection.section, context) { fields in
            if let node = fields.required("origins"), let origins = origins(node, context) {
                layer.say("origins", \.origins, origins)
                isWhole = true
            }
            if fields.node("headers")?.text != "any" {
                fields.say("headers", \.headers, in: &layer) { names($0, context) }
            }
            fields.say("expose", \.expose, in: &layer) { names($0, context) }
            fields.read(settings, into: &layer)
        }
        return isWhole ? .layer(layer) : nil
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            switch origins {
            case .any: writer.key("origins", "any")
            case .list(let origins): writer.list("origins", origins)
            }
            if let headers { writer.list("headers", headers) } else { writer.key("headers", "any") }
            writer.list("expose", expose)
            writer.settings(of: self)
        }
    }

    private static func names(_ node: SourceNode, _ context: ReadingContext) -> [String]? {
        context.all(node) { context.text($0, what: "a field name") }
    }

    private static func origins(_ node: SourceNode, _ context: ReadingContext) -> CrossOriginPolicy.Origins? {
        if node.text == "any" { return .any }
        let items = context.items(node)
        let origins = items.compactMap { origin($0, context) }
        return origins.count == items.count && !origins.isEmpty ? .list(origins) : nil
    }

    /// An origin as a browser writes it (RFC 6454 §6.2): no path, no trailing slash, no default port.
    private static func origin(_ node: SourceNode, _ context: ReadingContext) -> String? {
        guard let text = context.text(node, what: "an origin")?.lowercased() else { return nil }
        if text == "null" { return text }
        func wrong(_ suggestion: Suggestion? = nil) {
            // A password may stand before the host.
            let isTelling = text.contains("@")
            context.findings.mistake(
                at: node.place, "\(isTelling ? "this" : "'\(text)'") is no origin",
                expected: "scheme://host or scheme://host:port, or any", suggestion: isTelling ? nil : suggestion)
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
        guard isOrigin(text) else {
            wrong()
            return nil
        }
        let usual = ["http": 80, "https": 443][String(scheme)]
        if let split = HostPort.split(authority), split.port == usual {
            authority = String(authority.dropLast(String(split.port).count + 1))
        }
        return "\(scheme)://\(authority)"
    }
}
