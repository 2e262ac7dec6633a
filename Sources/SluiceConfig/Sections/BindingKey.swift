import SluiceContract
import SluiceRules

/// The texts that name routes: a binding's key (`GET /fruits/{id}`) and its `to:` (`fruit POST /search`).
enum BindingKey {
    static let pattern = "^[A-Z][A-Z|]* /\\S*$"
    static let targetPattern = "^[A-Za-z0-9_.-]+ ([A-Z]+ )?/\\S*$"

    struct Route {
        /// Empty for `ANY`.
        var methods: [String]
        var path: PathTemplate
    }

    static func read(_ text: String, _ node: SourceNode, _ context: ReadingContext) -> Route? {
        if isInWrongQuotes(text, node, context) { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else {
            context.findings.mistake(
                at: node.place, "'\(text)' is no route", expected: "a method, a space and a path, such as GET /fruits",
                suggestion: nearestRoute(words).map { .didYouMean($0) })
            return nil
        }
        guard let methods = methods(words[0], node, context),
            let path = path(words[1], at: text.utf8.count - words[1].utf8.count, node, context)
        else { return nil }
        return Route(methods: methods, path: path)
    }

    /// To YAML, the typographic quotes of a word processor are ordinary characters.
    private static func isInWrongQuotes(_ text: String, _ node: SourceNode, _ context: ReadingContext) -> Bool {
        guard let first = text.first, "“”„‘’‚«»".contains(first) else { return false }
        context.findings.mistake(
            at: node.place, "these are typographic quotes",
            suggestion: .advice("write \" in their place, or nothing"))
        return true
    }

    /// A suggestion for a malformed route: `/fruits`, `GET POST /fruits`, `GET, POST /fruits`, `GET | POST /fruits`.
    private static func nearestRoute(_ words: [String]) -> String? {
        guard let path = words.last, path.hasPrefix("/") else { return nil }
        if words.count == 1 { return "GET \(path)" }
        let names = words.dropLast().flatMap { $0.split { ",/|".contains($0) } }.map { $0.uppercased() }
        return names.allSatisfy(MethodRule.usual.contains) ? "\(names.joined(separator: "|")) \(path)" : nil
    }

    static func target(
        _ node: SourceNode, _ context: ReadingContext, _ upstreams: [String]
    ) -> BindingDeclaration.Target? {
        guard let text = context.text(node, what: "an upstream and a path"), !isInWrongQuotes(text, node, context)
        else { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard (2...3).contains(words.count), !hasMethodFirst(words, upstreams) else {
            context.findings.mistake(
                at: node.place, "'\(text)' is no target",
                expected: "an upstream, a space and a path, such as fruit /fruits",
                suggestion: nearestTarget(text, upstreams))
            return nil
        }
        var method: String?
        if words.count == 3 {
            if words[1].contains("|") || words[1] == "ANY" {
                context.findings.mistake(at: node.place, "'\(words[1])' is not one method", expected: "one method")
            } else {
                method = methods(words[1], node, context)?.first
            }
        }
        let last = words[words.count - 1]
        let path = path(last, at: text.utf8.count - last.utf8.count, node, context)
        return BindingDeclaration.Target(words[0], method: method, path: path)
    }

    /// Whether the method stands before the upstream: `GET fruit /fruits`.
    private static func hasMethodFirst(_ words: [String], _ upstreams: [String]) -> Bool {
        words.count == 3 && MethodRule.usual.contains(words[0]) && !upstreams.contains(words[0])
            && upstreams.contains(words[1])
    }

    /// A suggestion for a malformed target: `/fruits`, `fruit/fruits`, `fruit`, `https://fruit.example/fruits`.
    private static func nearestTarget(_ text: String, _ upstreams: [String]) -> Suggestion? {
        let words = text.split(separator: " ").map(String.init)
        if hasMethodFirst(words, upstreams) { return .didYouMean("\(words[1]) \(words[0]) \(words[2])") }
        if text.hasPrefix("/") { return upstreams.count == 1 ? .didYouMean("\(upstreams[0]) \(text)") : nil }
        let name = text.prefix { $0 != "/" && $0 != ":" }
        if upstreams.contains(String(name)) {
            let path = text[name.endIndex...].drop { $0 == ":" }
            return .didYouMean("\(name) \(path.isEmpty ? "/" : path)")
        }
        return text.contains("://") ? .advice("write the URL under 'upstreams:', and here its name") : nil
    }

    private static func methods(_ text: String, _ node: SourceNode, _ context: ReadingContext) -> [String]? {
        if text == "ANY" { return [] }
        let methods = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        for method in methods where method.contains(",") {
            guard let route = nearestRoute([method, "/"]) else { continue }
            context.findings.mistake(
                at: node.place, "'\(method)' is no method that can be bound",
                expected: "several with '|' between them", suggestion: .didYouMean(String(route.dropLast(2))))
            return nil
        }
        return methods
    }

    private static func path(_ text: String, at offset: Int, _ node: SourceNode, _ context: ReadingContext)
        -> PathTemplate?
    {
        do {
            return try PathTemplate(text)
        } catch {
            context.findings.mistake(
                at: node.place(at: offset + error.offset), "\(URLText.shown(text)) is no path: \(error.message)",
                expected: "a path such as /fruits/{id} or /raw/**")
            return nil
        }
    }
}
