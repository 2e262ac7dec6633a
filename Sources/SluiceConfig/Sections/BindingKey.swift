import SluiceContract

/// The texts that name routes: a binding's key (`GET /fruits/{id}`) and its `to:` (`fruit POST /search`).
enum BindingKey {
    static let pattern = "^[A-Z][A-Z|]* /\\S*$"
    static let targetPattern = "^[A-Za-z0-9_.-]+ ([A-Z]+ )?/\\S*$"

    struct Route {
        /// Empty for `ANY`.
        var methods: [String]
        var path: PathTemplate
    }

    struct Target {
        var upstream: String
        var method: String?
        var path: PathTemplate?
    }

    /// RFC 9110 §9.3 and RFC 5789; others may be bound too, but not what looks like a slip of these.
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    static func read(_ text: String, _ node: SourceNode, _ desk: Desk) -> Route? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else {
            desk.findings.mistake(
                at: node.place, "'\(text)' is no route", expected: "a method, a space and a path, such as GET /fruits",
                suggestion: nearestRoute(words).map { .didYouMean($0) })
            return nil
        }
        guard let methods = methods(words[0], node, desk),
            let path = path(words[1], at: text.utf8.count - words[1].utf8.count, node, desk)
        else { return nil }
        var seen: Set<String> = []
        for name in path.placeholders where !seen.insert(name).inserted {
            desk.findings.mistake(at: node.place, "placeholder '{\(name)}' stands twice", expected: "each name once")
        }
        return Route(methods: methods, path: path)
    }

    /// A route as it may have been meant: `/fruits`, `GET POST /fruits`, `GET, POST /fruits`.
    private static func nearestRoute(_ words: [String]) -> String? {
        guard let path = words.last, path.hasPrefix("/") else { return nil }
        if words.count == 1 { return "GET \(path)" }
        let names = words.dropLast().flatMap { $0.split { $0 == "," || $0 == "/" } }.map { $0.uppercased() }
        return names.allSatisfy(methods.contains) ? "\(names.joined(separator: "|")) \(path)" : nil
    }

    static func target(_ node: SourceNode, _ desk: Desk, _ upstreams: UpstreamSection.Readings) -> Target? {
        guard let text = desk.text(node, what: "an upstream and a path") else { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard (2...3).contains(words.count) else {
            desk.findings.mistake(
                at: node.place, "'\(text)' is no target",
                expected: "an upstream, a space and a path, such as fruit /fruits",
                suggestion: nearestTarget(text, upstreams.names))
            return nil
        }
        let hasUpstream = upstreams.contains(words[0])
        if !hasUpstream {
            let names = upstreams.names
            desk.findings.mistake(
                at: node.place, "unknown upstream '\(words[0])'",
                expected: names.isEmpty ? "a name of 'upstreams:'" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: words[0], among: names))
        }
        var method: String?
        if words.count == 3 {
            method = methods(words[1], node, desk)?.first
            if words[1].contains("|") || words[1] == "ANY" {
                desk.findings.mistake(at: node.place, "'\(words[1])' is not one method", expected: "one method")
            }
        }
        let last = words[words.count - 1]
        let path = path(last, at: text.utf8.count - last.utf8.count, node, desk)
        return Target(upstream: hasUpstream ? words[0] : "", method: method, path: path)
    }

    /// A target as it may have been meant: `/fruits`, `fruit/fruits`, `fruit`, `https://fruit.example/fruits`.
    private static func nearestTarget(_ text: String, _ upstreams: [String]) -> Mistake.Suggestion? {
        if text.hasPrefix("/") { return upstreams.count == 1 ? .didYouMean("\(upstreams[0]) \(text)") : nil }
        let name = text.prefix { $0 != "/" && $0 != ":" }
        if upstreams.contains(String(name)) {
            let path = text[name.endIndex...].drop { $0 == ":" }
            return .didYouMean("\(name) \(path.isEmpty ? "/" : path)")
        }
        return text.contains("://") ? .advice("write the URL under 'upstreams:', and here its name") : nil
    }

    private static func methods(_ text: String, _ node: SourceNode, _ desk: Desk) -> [String]? {
        if text == "ANY" { return [] }
        var result: [String] = []
        for method in text.split(separator: "|", omittingEmptySubsequences: false).map(String.init) {
            if method.contains(","), let route = nearestRoute([method, "/"]) {
                desk.findings.mistake(
                    at: node.place, "'\(method)' is no method that can be bound",
                    expected: "several with '|' between them",
                    suggestion: .didYouMean(String(route.dropLast(2))))
                return nil
            }
            let isPlain = Name.isToken(method) && method == method.uppercased() && method != "ANY"
            let near = Nearest.name(to: method, among: methods + ["ANY"])
            guard isPlain, method != "CONNECT", near == nil || methods.contains(method) else {
                desk.findings.mistake(
                    at: node.place, "'\(method)' is no method that can be bound",
                    expected: "GET, POST, …, several with '|' between them, or ANY",
                    suggestion: near.map { .didYouMean($0) })
                return nil
            }
            if result.contains(method) {
                desk.findings.mistake(at: node.place, "method '\(method)' stands twice", expected: "each method once")
            } else {
                result.append(method)
            }
        }
        return result
    }

    private static func path(_ text: String, at offset: Int, _ node: SourceNode, _ desk: Desk) -> PathTemplate? {
        do {
            let path = try PathTemplate(text)
            for part in path.segments.joined() {
                guard case .text(let literal) = part, let message = fault(literal) else { continue }
                desk.findings.mistake(
                    at: node.place(at: offset), "\(message) in path '\(text)'",
                    expected: "segments as RFC 3986 §3.3 has them",
                    suggestion: literal.contains("?")
                        ? .advice("declare what stands in the query under 'params:'")
                        : literal.contains("<") ? .advice("write a placeholder as {name}") : nil)
                return nil
            }
            warnOfForeign(path, at: node.place(at: offset), desk)
            for segment in path.segments where segment == [.text(".")] || segment == [.text("..")] {
                desk.findings.mistake(
                    at: node.place(at: offset), "a dot segment in path '\(text)'",
                    expected: "a path without '.' and '..'")
                return nil
            }
            return path
        } catch {
            desk.findings.mistake(
                at: node.place(at: offset + error.offset), "'\(text)' is no path: \(error.message)",
                expected: "a path such as /fruits/{id} or /raw/**")
            return nil
        }
    }

    /// `:id` and `*` are what they are in a path, and placeholders to other routers.
    private static func warnOfForeign(_ path: PathTemplate, at place: SourceNode.Place, _ desk: Desk) {
        for case .text(let literal) in path.segments.compactMap({ $0.count == 1 ? $0[0] : nil }) {
            if literal.hasPrefix(":"), literal.utf8.count > 1 {
                desk.findings.warning(
                    at: place, "'\(literal)' stands for itself here",
                    suggestion: .didYouMean("{\(literal.dropFirst())}"))
            } else if literal == "*" {
                desk.findings.warning(
                    at: place, "'*' stands for itself here",
                    suggestion: .advice("write {name} for one segment, '**' at the end for all that follows"))
            }
        }
    }

    /// RFC 3986 §3.3 `pchar`.
    private static func fault(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].isHexDigit, bytes[index + 2].isHexDigit else {
                    return "a broken percent-encoding"
                }
            } else if !byte.isLetter, !byte.isDigit, !"-._~!$&'()*+,;=:@".utf8.contains(byte) {
                if byte == UInt8(ascii: "?") { return "a query" }
                let shown = byte < 0x80 ? "'\(Character(Unicode.Scalar(byte)))'" : "a character that"
                return "\(shown) needs percent-encoding"
            }
        }
        return nil
    }
}
