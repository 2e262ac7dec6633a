internal import SluiceConfig
internal import SluiceContract

/// Finds the binding for `METHOD PATH`: by its template (`GET /fruits/{id}`), or by a path that it matches (`GET
/// /fruits/3?limit=2`).
struct CallTarget {
    let binding: Binding
    let method: String
    /// Values of placeholders that stood in the path, still encoded.
    private(set) var captures: [String: String] = [:]
    /// The part of the path matched by `**`, with its slash.
    private(set) var rest = ""
    /// The query, without its `?`.
    private(set) var query = ""

    /// No binding matches; `description` suggests one.
    struct Unknown: Error, CustomStringConvertible {
        var description: String
    }

    /// The mistake in the words of a command line, whatever the bindings are; nil where there is none.
    /// - Parameters:
    ///   - verb: the verb, for the correct usage in the message.
    ///   - pairs: the arguments behind the binding.
    static func misuse(_ text: String, _ pairs: [String], of verb: String) -> String? {
        if text.split(separator: " ", maxSplits: 1).last?.hasPrefix("/") != true {
            guard let path = pairs.first, path.hasPrefix("/") else {
                return "'\(text)' is no method and path, such as 'GET /fruits'"
            }
            return "put method and path in quotes: sluice \(verb) '\(text) \(path)'"
        }
        return pairs.first { !$0.dropFirst().contains("=") }.map { "'\($0)' is no name=value" }
    }

    init(_ text: String, in bindings: [Binding]) throws(Unknown) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let path = words.last ?? ""
        guard path.hasPrefix("/") else {
            throw Unknown(description: "'\(text)' is no method and path, such as 'GET /fruits'")
        }
        let word = words.count == 2 ? words[0].uppercased() : nil
        let method = word == "ANY" ? nil : word
        if let exact = bindings.first(where: { $0.path.description == path && Self.takes($0, method) }) {
            binding = exact
            self.method = method ?? exact.methods.first ?? "GET"
            return
        }
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let candidates = bindings.filter { Self.takes($0, method ?? "GET") }
        let matches = candidates.compactMap { binding in
            Self.match(binding.path, parts[0]).map { (binding: binding, found: $0) }
        }
        guard let best = matches.max(by: { $0.found.score < $1.found.score }) else {
            throw Unknown(description: Self.advice(text, bindings))
        }
        binding = best.binding
        self.method = method ?? "GET"
        captures = best.found.captures
        rest = best.found.rest
        query = parts.count == 2 ? parts[1] : ""
    }

    private static func takes(_ binding: Binding, _ method: String?) -> Bool {
        guard let method, !binding.methods.isEmpty else { return true }
        return binding.methods.contains(method) || (method == "HEAD" && binding.methods.contains("GET"))
    }

    private static func advice(_ text: String, _ bindings: [Binding]) -> String {
        let near = Nearest.name(to: text, among: bindings.map(\.name))
        return "there is no binding '\(text)'; "
            + (near.map { "did you mean '\($0)'?" } ?? "'sluice routes' lists what there is")
    }

    // MARK: - Matching

    private struct Match {
        var captures: [String: String] = [:]
        var rest = ""
        /// Literal segments weigh most, `**` least.
        var score = 0
    }

    private static func match(_ template: PathTemplate, _ path: String) -> Match? {
        var match = Match()
        var segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...]
        if path == "/" { segments = [] }
        for pattern in template.segments {
            guard let segment = segments.popFirst(), take(segment, pattern, &match) else { return nil }
        }
        if template.hasRest {
            match.rest = segments.map { "/" + $0 }.joined()
            return match
        }
        return segments.isEmpty ? match : nil
    }

    private static func take(_ segment: Substring, _ pattern: PathTemplate.Segment, _ match: inout Match) -> Bool {
        var left = segment
        for (index, part) in pattern.enumerated() {
            switch part {
            case .text(let text):
                guard left.hasPrefix(text) else { return false }
                left = left.dropFirst(text.count)
                match.score += 2
            case .placeholder(let name):
                var end = left.endIndex
                if index + 1 < pattern.count, case .text(let next) = pattern[index + 1] {
                    guard let found = left.indices.first(where: { left[$0...].hasPrefix(next) }) else { return false }
                    end = found
                }
                match.captures[name] = String(left[..<end])
                left = left[end...]
                match.score += 1
            }
        }
        return left.isEmpty
    }
}
