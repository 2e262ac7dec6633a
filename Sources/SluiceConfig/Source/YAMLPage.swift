internal import SluiceContract
import SluiceRules

/// The lines of a page that is not valid YAML, to explain the error. The library reports where it could not go on; the
/// cause is mostly before that place.
struct YAMLPage {
    let lines: [String]
    /// Whether messages may repeat words of the file.
    let names: Bool

    /// The error and its place, in plain words.
    ///
    /// - Parameters:
    ///   - problem: the library's message, which is used where there is no plainer one.
    ///   - context: the beginning of the construct that the library was reading.
    func fault(_ problem: String, at place: SourceNode.Place, context: SourceNode.Place?) -> YAMLFault {
        plainFault(problem, at: place, context)
            ?? YAMLFault(at: place, "not valid YAML: \(problem)", suggestion: advice(at: place))
    }

    private func plainFault(
        _ problem: String, at place: SourceNode.Place, _ context: SourceNode.Place?
    ) -> YAMLFault? {
        let found = character(at: place)
        let pointer = character(at: context ?? place)
        switch problem {
        case "mapping values are not allowed in this context", "could not find expected ':'": return key(at: place)
        case "did not find expected key": return indentation(at: place, context)
        case "did not find expected ',' or ']'": return open("[", "]", at: place, context)
        case "did not find expected ',' or '}'": return open("{", "}", at: place, context)
        case "found unexpected end of stream", "found unexpected document indicator":
            return context.map { YAMLFault(at: $0, "the quote is not closed", expected: "a quote behind the text") }
        case "found character that cannot start any token" where found == "\t",
            "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return YAMLFault(
                at: place, "a tab in the indentation", expected: "spaces",
                suggestion: .advice("indent with spaces, not with tabs"))
        case "found character that cannot start any token":
            return YAMLFault(
                at: place, "a text cannot begin with '\(found.map(String.init) ?? "")' here",
                suggestion: .advice("put it in quotes"))
        case "did not find expected alphabetic or numeric character", "found undefined alias":
            return YAMLFault(
                at: context ?? place, "to YAML, '\(pointer.map(String.init) ?? "*")' points to another value",
                suggestion: .advice("put it in quotes, as in \"*\""))
        case "block sequence entries are not allowed in this context":
            return YAMLFault(
                at: place, "a list with '-' cannot begin behind its key",
                suggestion: .advice("begin it in a line of its own, or write [a, b]"))
        case "did not find expected '-' indicator":
            return YAMLFault(
                at: place, "a line without '-' among those of a list",
                suggestion: .advice("begin it with '-', or leave the '-' out of the others"))
        case "but found another document":
            return YAMLFault(at: place, "a second document begins here", expected: "one document in a file")
        default: return nil
        }
    }

    /// A `:` where no key is allowed: the line has two of them, the line above is not an entry, or that entry already
    /// has a value.
    private func key(at place: SourceNode.Place) -> YAMLFault? {
        let line = code(place.line)
        let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(place.column - 1)))
        if let colon = keyEnd(before), !before.contains("{") {
            let method = before[..<colon].trimmed
            let path = before[colon...].dropFirst().trimmed
            let isRoute = method.allSatisfy { $0.isUppercase } && path.hasPrefix("/")
            return YAMLFault(
                at: place, "a second ':' in one line",
                suggestion: isRoute && names ? .didYouMean("\(method) \(path):") : .advice("put the value in quotes"))
        }
        if let fault = placeholder(line, place.line) { return fault }
        guard let above = lineAbove(place.line) else { return nil }
        let text = code(above)
        let aboveIndent = indent(text)
        let trimmed = text.trimmed
        guard keyEnd(trimmed) == nil else {
            let own = indent(line)
            let isEntry = !trimmed.hasSuffix(":") && !"[{|>-".contains(trimmed.first ?? "-")
            guard own > aboveIndent, isEntry else { return nil }
            return YAMLFault(
                at: .init(line: place.line, column: own + 1),
                "this line is indented deeper than line \(above), which has its value already",
                suggestion: .advice("indent both lines alike"))
        }
        guard !"[{\"'|>-&*!".contains(trimmed.first ?? "-") else { return nil }
        if let colon = trimmed.firstIndex(of: ":"), !trimmed[..<colon].contains(" ") {
            let name = trimmed[..<colon]
            return YAMLFault(
                at: .init(line: above, column: aboveIndent + name.unicodeScalars.count + 1), "no space behind the ':'",
                suggestion: names ? .didYouMean("\(name): …") : .advice("write a space behind it"))
        }
        if let route = route(trimmed) {
            return YAMLFault(
                at: .init(line: above, column: aboveIndent + trimmed.unicodeScalars.count + 1), "a ':' is missing",
                suggestion: names ? .didYouMean("\(route):") : .advice("write key: value"))
        }
        let name = trimmed.prefix { $0 != " " }
        return YAMLFault(
            at: .init(line: above, column: aboveIndent + name.unicodeScalars.count + 1), "a ':' is missing",
            suggestion: names
                ? .didYouMean(name.count == trimmed.count ? "\(name):" : "\(name): …") : .advice("write key: value"))
    }

    /// The route, such as `GET /fruits`, where the line holds nothing else.
    private func route(_ line: String) -> String? {
        let words = line.split(separator: " ")
        guard words.count == 2, words[1].hasPrefix("/"), words[0].allSatisfy({ $0.isUppercase || $0 == "|" }) else {
            return nil
        }
        return line
    }

    /// `/items/{id: Int}`, the notation of some frameworks: YAML takes the text before its colon for a key.
    private func placeholder(_ line: String, _ number: Int) -> YAMLFault? {
        guard let brace = line.firstIndex(of: "{"), line[..<brace].contains(" /"),
            let colon = line[brace...].firstIndex(of: ":"), !line[brace..<colon].contains("}")
        else { return nil }
        let column = line[..<colon].unicodeScalars.count + 1
        return YAMLFault(
            at: .init(line: number, column: column), "a ':' inside of a placeholder",
            suggestion: .advice("write the name alone, as in {id}, and its type under 'params:'"))
    }

    /// A line whose indentation matches none of the entries above.
    private func indentation(at place: SourceNode.Place, _ context: SourceNode.Place?) -> YAMLFault? {
        guard let context, place.column == indent(code(place.line)) + 1, place.column != context.column else {
            return nil
        }
        return YAMLFault(
            at: place, "this line is indented by \(place.column - 1), and no entry above it is",
            expected: "the indentation of one of them, such as \(context.column - 1) as in line \(context.line)")
    }

    private func open(
        _ begin: String, _ end: String, at place: SourceNode.Place, _ context: SourceNode.Place?
    ) -> YAMLFault? {
        guard let context, context.line != place.line, advice(at: place) == nil else { return nil }
        return YAMLFault(at: context, "the '\(begin)' is not closed", expected: "'\(end)'")
    }

    /// Advice by the look of the line. Types most often need quotes: to YAML, `[Int]?` is a list with a stray question
    /// mark.
    private func advice(at place: SourceNode.Place) -> Suggestion? {
        for index in [place.line - 1, place.line - 2] where lines.indices.contains(index) {
            let line = lines[index]
            if line.contains("${") {
                return .advice("variables are not filled in; secrets alone may come from one: bearer: {env: NAME}")
            }
            if line.contains("]?") || line.contains("] |") || line.contains("] =") || line.contains("](")
                || line.contains("]{") || line.contains("\" |")
            {
                return .advice("put the whole type in single quotes, as in '[Int]?'")
            }
            if line.contains("(/") {
                return .advice("put the whole type in single quotes, as in 'String(/^[a-z]+$/)'")
            }
            if let brace = line.firstIndex(of: "{"), line[line.index(after: brace)...].contains("/{") {
                return .advice("inside of braces, put a path with placeholders in quotes")
            }
            if line.contains("\t") { return .advice("indent with spaces, not with tabs") }
        }
        return nil
    }

    /// A line without its comment.
    private func code(_ number: Int) -> String {
        guard lines.indices.contains(number - 1) else { return "" }
        let line = lines[number - 1]
        if line.trimmed.hasPrefix("#") { return "" }
        guard let comment = line.indices.first(where: { line[$0...].hasPrefix(" #") }) else { return line }
        return String(line[..<comment])
    }

    /// The number of the nearest line above that is neither empty nor a comment.
    private func lineAbove(_ number: Int) -> Int? {
        (1..<max(number, 1)).last { !code($0).trimmed.isEmpty }
    }

    private func indent(_ line: String) -> Int {
        line.prefix { $0 == " " }.count
    }

    /// The end of a line's key: a colon that is followed by a space or by nothing.
    private func keyEnd(_ line: String) -> String.Index? {
        line.indices.first { index in
            guard line[index] == ":" else { return false }
            let next = line.index(after: index)
            return next == line.endIndex || line[next] == " "
        }
    }

    private func character(at place: SourceNode.Place) -> Character? {
        guard lines.indices.contains(place.line - 1) else { return nil }
        return lines[place.line - 1].unicodeScalars.dropFirst(place.column - 1).first.map(Character.init)
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
