/// `[?kind=="home"]`: a filter of RFC 9535 §2.3.5 that compares one value with one literal.
extension FieldPathReader {
    /// Conditions inside each other.
    private static let depthMax = 4
    /// What ends a path inside of a condition.
    private static let stops = " =!<>]&|~"

    static func ends(_ character: Character) -> Bool { character == "@" || stops.contains(character) }

    mutating func condition() throws(FieldPath.Malformed) -> FieldPath.Component.Condition {
        if depth == Self.depthMax {
            throw malformed("conditions are nested too deeply", expected: "at most \(Self.depthMax) inside each other")
        }
        rest.removeFirst(2)
        let path = try comparedPath()
        skipBlanks()
        guard rest.hasPrefix("==") else { throw noComparison() }
        rest.removeFirst(2)
        skipBlanks()
        let value = try literal()
        skipBlanks()
        guard rest.first == "]" else {
            throw malformed(
                rest.isEmpty ? "a bracket is open" : "there is more text behind the compared value",
                expected: "']': one comparison is all that a condition is")
        }
        rest.removeFirst()
        return FieldPath.Component.Condition(path, value)
    }

    /// From the element on; `@` is the element itself.
    private mutating func comparedPath() throws(FieldPath.Malformed) -> FieldPath {
        skipBlanks()
        let isFromElement = rest.first == "@"
        if isFromElement {
            rest.removeFirst()
            if let next = rest.first, " =!<>]".contains(next) { return FieldPath(components: []) }
            if rest.first == "." { rest.removeFirst() }
        }
        if rest.first == "$", rest.dropFirst().first.map({ ".[".contains($0) || Self.stops.contains($0) }) ?? true {
            throw malformed(
                "'$' is the whole document, and a condition looks at one element of it",
                expected: "the path from the element on, such as kind or @.kind; a key of this name in double quotes")
        }
        var reader = FieldPathReader(rest: rest, stops: Self.stops, depth: depth + 1)
        let path = try reader.path()
        rest = reader.rest
        if path.hasWildcard || path.components.contains(where: \.isOptional) {
            throw malformed("a condition looks at one value", expected: "a path without '*' and '?'")
        }
        return path
    }

    private mutating func literal() throws(FieldPath.Malformed) -> FieldPath.Component.Literal {
        if let quote = rest.unicodeScalars.first, quote == "\"" || quote == "'" { return .string(try quoted()) }
        let word = String(rest.prefix { $0 != "]" && $0 != " " })
        rest.removeFirst(word.count)
        if word == "true" || word == "false" || DecimalText.isNumber(word) { return .plain(word) }
        throw malformed(
            word.isEmpty ? "a value is missing behind '=='" : "'\(word)' is no value to compare with",
            expected: "a string in quotes, a number, true or false")
    }

    private func noComparison() -> FieldPath.Malformed {
        let sign = String(rest.prefix { "=!<>&|~".contains($0) })
        return malformed(
            sign.isEmpty ? "a condition compares" : "'\(sign)' is no comparison that a condition can make",
            expected: "'==' and a string in quotes, a number, true or false, such as [?kind==\"home\"]")
    }

    private mutating func skipBlanks() {
        while rest.first == " " { rest.removeFirst() }
    }
}
