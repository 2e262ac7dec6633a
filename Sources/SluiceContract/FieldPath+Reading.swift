extension FieldPath {
    /// Why a text is no key path, and what to write instead.
    public struct Malformed: Error, Hashable, Sendable {
        public var message: String
        public var expected: String
        /// The path that was probably meant.
        public var suggestion: String?
    }

    /// Reads the notation.
    ///
    ///     path      = [ "$" [ "." ] ] component *( "." component / brackets )
    ///     component = ( key / index / "*" / quoted ) [ "?" ]
    ///     brackets  = "[" ( index / "-1" / "*" / quoted / condition ) "]" [ "?" ]
    ///     condition = "?" ( path / "@" [ "." path / brackets ] ) "==" ( quoted / number / "true" / "false" )
    ///     quoted    = a string of JSON; within brackets also in single quotes
    public static func read(_ text: String) throws(Malformed) -> FieldPath {
        if text.hasPrefix("/") {
            // A JSON Pointer (RFC 6901) would be a path of one key, which no API has.
            let keys = text.dropFirst().replacing("/", with: ".")
            throw Malformed(
                message: "a JSON Pointer is no key path", expected: "keys with dots between them, such as data.items",
                suggestion: FieldPath(String(keys))?.description)
        }
        if text.hasPrefix(".") {
            throw Malformed(
                message: "a path begins with a key", expected: "no dot in front of it",
                suggestion: FieldPath(String(text.dropFirst()))?.description)
        }
        var reader = FieldPathReader(rest: text[...])
        do throws(Malformed) {
            return try reader.path()
        } catch {
            var error = error
            // As jq has it.
            if text.contains("[]") { error.suggestion = FieldPath(text.replacing("[]", with: "[*]"))?.description }
            throw error
        }
    }
}

/// Takes a path apart from its front.
struct FieldPathReader {
    var rest: Substring
    /// What ends a path inside of a condition; empty outside.
    var stops = ""
    /// Conditions around this one.
    var depth = 0

    mutating func path() throws(FieldPath.Malformed) -> FieldPath {
        var components: [FieldPath.Component] = []
        let hasRoot = rest == "$" || rest.hasPrefix("$.") || rest.hasPrefix("$[")
        if hasRoot { rest.removeFirst() }
        if hasRoot, rest.isEmpty {
            throw malformed("'$' is the whole document", expected: "keys with dots between them, or no path at all")
        }
        while true {
            if rest.first == "[" {
                components.append(try brackets())
            } else {
                if hasRoot || !components.isEmpty { rest.removeFirst() }
                components.append(try component())
            }
            if rest.first == "?" {
                rest.removeFirst()
                components[components.count - 1].isOptional = true
            }
            guard let next = rest.first, !stops.contains(next) else { return FieldPath(components: components) }
            guard next == "." || next == "[" else {
                throw malformed("'\(next)' cannot stand there", expected: "'.' or '[' behind each part of the path")
            }
        }
    }

    /// A key, an index or a star, up to the next separator.
    private mutating func component() throws(FieldPath.Malformed) -> FieldPath.Component {
        if rest.unicodeScalars.first == "\"" { return .key(try quoted()) }
        let word = rest.prefix { !".[]?\"".contains($0) && !stops.contains($0) }
        rest = rest[word.endIndex...]
        if word.isEmpty, rest.first == "." || rest.first == "[" { throw searchesEverywhere("..") }
        if word.isEmpty { throw malformed("a key is missing", expected: "a key between dots, such as data.items") }
        if word == "**" { throw searchesEverywhere("**") }
        if word == "*" { return .wildcard }
        return try index(word).map { FieldPath.Component($0) } ?? .key(String(word))
    }

    private func searchesEverywhere(_ sign: String) -> FieldPath.Malformed {
        malformed("'\(sign)' searches everywhere, which a path cannot", expected: "the whole way, key by key")
    }

    private mutating func brackets() throws(FieldPath.Malformed) -> FieldPath.Component {
        if rest.hasPrefix("[?") { return FieldPath.Component(.first(where: try condition())) }
        guard let close = rest.firstIndex(of: "]") else { throw malformed("a bracket is open", expected: "']'") }
        let inside = rest[rest.index(after: rest.startIndex)..<close]
        if let quote = inside.unicodeScalars.first, quote == "\"" || quote == "'" {
            rest.removeFirst()
            let key = try quoted()
            guard rest.first == "]" else { throw malformed("a bracket is open", expected: "']' behind the quote") }
            rest.removeFirst()
            return .key(key)
        }
        rest = rest[rest.index(after: close)...]
        if inside == "*" { return .wildcard }
        if inside == "**" { throw searchesEverywhere("**") }
        if let index = try index(inside) { return FieldPath.Component(index) }
        throw malformed(
            "'[\(inside)]' selects in a way that a path cannot",
            expected: "an index such as [0], [-1] for the last element, [?kind==\"x\"] for the first one like that, "
                + "* for all elements, or a key in quotes")
    }

    /// The index that digits are; nil where they are none.
    private func index(_ word: Substring) throws(FieldPath.Malformed) -> FieldPath.Component.Step? {
        let digits = word.hasPrefix("-") ? word.dropFirst() : word
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard digits.count == word.count else {
            if digits == "1" { return .last }
            throw malformed(
                "the index \(word) counts from the end",
                expected: "[-1] for the last element, or an index from 0; a key of this name goes into double quotes")
        }
        guard let index = Int(digits) else { throw malformed("the index is too large", expected: "a smaller one") }
        return .index(index)
    }

    func malformed(_ message: String, expected: String) -> FieldPath.Malformed {
        FieldPath.Malformed(message: message, expected: expected)
    }
}
