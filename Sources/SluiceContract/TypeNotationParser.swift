/// The recursive descent behind ``TypeNotation``.
struct TypeNotationParser {
    let bytes: [UInt8]
    var offset = 0
    private(set) var mentions: [TypeNotation.Mention] = []
    private(set) var words: [TypeNotation.Mention] = []
    private(set) var constants: [TypeNotation.Mention] = []
    private var depth = 0

    /// Nesting of brackets; more is a mistake in the file rather than a type.
    private static let depthMax = 32

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return offset == bytes.count
        }
    }

    mutating func skipBlanks() {
        while offset < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[offset]) { offset += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// What is left, trimmed.
    func rest() -> String {
        var end = bytes.count
        while end > offset, bytes[end - 1] <= 0x20 { end -= 1 }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    func malformed(
        _ message: String, expected: String, suggestion: String? = nil, at place: Int? = nil
    ) -> TypeNotation.Malformed {
        TypeNotation.Malformed(
            offset: place ?? offset, message: message, expected: expected, suggestion: suggestion)
    }

    /// `type = suffix *( "|" suffix )`
    mutating func type() throws(TypeNotation.Malformed) -> TypeExpression {
        skipBlanks()
        let start = offset
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthMax {
            throw malformed("the type is nested too deeply", expected: "at most \(Self.depthMax) levels")
        }
        var alternatives = [try suffix()]
        while take("|") { alternatives.append(try suffix()) }
        if alternatives.count == 1 {
            if alternatives[0] == .null {
                throw malformed("'null' alone is no type", expected: "T | null", at: start)
            }
            if alternatives[0] == .open([]) {
                throw malformed("'…' alone is no type", expected: "red | green | …", at: start)
            }
            return alternatives[0]
        }
        return try union(alternatives, at: start)
    }

    /// Brings a union to its normal form: strings gathered in one set, `null` last, nothing nested.
    private func union(
        _ alternatives: [TypeExpression], at start: Int
    ) throws(TypeNotation.Malformed) -> TypeExpression {
        var members: [TypeExpression] = []
        var strings: [String] = []
        var stringsIndex = 0
        var hasNull = false
        var isOpen = false
        for alternative in alternatives {
            switch alternative {
            case .optional(let inner):
                let isSpareNull = alternatives.count == 2 && alternatives.contains(.null)
                throw malformed(
                    "an alternative cannot be optional by itself", expected: "an optional union",
                    suggestion: isSpareNull ? "\(inner)?" : "(A | B)?", at: start)
            case .null:
                if hasNull { throw malformed("'null' stands twice", expected: "each alternative once", at: start) }
                hasNull = true
            case .literals(let more):
                if strings.isEmpty { stringsIndex = members.count }
                strings += more
            case .open(let more):
                if strings.isEmpty { stringsIndex = members.count }
                strings += more
                isOpen = true
            case .union(let nested):
                members += nested.filter { $0 != .null }
                hasNull = hasNull || nested.contains(.null)
            case .scalar, .constant, .constrained, .converted, .array, .dictionary, .object, .choice, .named:
                members.append(alternative)
            }
        }
        if let none = words.last, ["nil", "undefined"].contains(none.name), none.offset >= start, !members.isEmpty {
            let others = members.map(\.description).joined(separator: " | ")
            throw malformed(
                "'\(none.name)' is a string here", expected: "'?' behind the type, or '| null'",
                suggestion: members.count == 1 ? "\(others)?" : "(\(others))?", at: none.offset)
        }
        if Set(strings).count < strings.count || Set(members).count < members.count {
            throw malformed("an alternative stands twice", expected: "each alternative once", at: start)
        }
        if isOpen, strings.isEmpty {
            throw malformed(
                "'…' says that more strings may follow, and there are none", expected: "red | green | …", at: start)
        }
        if !strings.isEmpty {
            members.insert(isOpen ? .open(strings) : .literals(strings), at: stringsIndex)
        }
        if hasNull { members.append(.null) }
        return members.count == 1 ? members[0] : .union(members)
    }

    private mutating func suffix() throws(TypeNotation.Malformed) -> TypeExpression {
        skipBlanks()
        let start = offset
        var primary = try primary()
        if takeText("->") { primary = try converted(primary, at: start) }
        guard take("?") else { return primary }
        if case .optional = primary {
            throw malformed("the type is optional already", expected: "one '?'", at: offset - 1)
        }
        if primary == .null {
            throw malformed("'null' cannot be optional", expected: "T | null", at: offset - 1)
        }
        if take("?") {
            throw malformed("the type is optional already", expected: "one '?'", at: offset - 1)
        }
        return .optional(primary)
    }

    mutating func primary() throws(TypeNotation.Malformed) -> TypeExpression {
        if take("[") { return try bracketed() }
        if take("(") {
            let inner = try type()
            guard take(")") else { throw malformed("a parenthesis is open", expected: "')'") }
            return inner
        }
        if take("\"") { return .literals([try quoted()]) }
        skipBlanks()
        let start = offset
        let word = word()
        if offset < bytes.count, word.isEmpty, bytes[offset] == UInt8(ascii: "{") {
            throw malformed(
                "an object is no text", expected: "YAML without quotes, such as {name: String}, or a name of 'types:'")
        }
        guard let first = word.utf8.first else {
            throw malformed(
                offset == bytes.count ? "a type is missing" : "this character begins no type",
                expected: "a type such as String, [Fruit], Int? or red | green")
        }
        if word == "null" { return .null }
        if ["true", "false"].contains(word) || DecimalText.isNumber(word) {
            constants.append(TypeNotation.Mention(name: word, offset: start))
            return .constant(word)
        }
        if word == "..." || word == "…" { return .open([]) }
        if (0x41...0x5a).contains(first) { return try named(word, at: start) }
        words.append(TypeNotation.Mention(name: word, offset: start))
        return .literals([word])
    }

    private mutating func bracketed() throws(TypeNotation.Malformed) -> TypeExpression {
        let start = offset
        let element = try type()
        if take(":") {
            guard element == .scalar(.string) else {
                throw malformed("keys of a dictionary are strings", expected: "[String: T]", at: start)
            }
            let value = try type()
            guard take("]") else { throw malformed("a bracket is open", expected: "']'") }
            return .dictionary(value)
        }
        guard take("]") else { throw malformed("a bracket is open", expected: "']'") }
        let array = TypeExpression.array(element)
        return take("(") ? .constrained(array, try constraint(on: .elements)) : array
    }

    private mutating func quoted() throws(TypeNotation.Malformed) -> String {
        let start = offset
        guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) else {
            throw malformed("a quote is open", expected: "'\"'", at: start - 1)
        }
        offset = close + 1
        return String(decoding: bytes[start..<close], as: UTF8.self)
    }

    mutating func word() -> String {
        let start = offset
        while offset < bytes.count, bytes[offset] > 0x20, !Self.delimiters.contains(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static let delimiters = Array("|?=[](),:\"'{}".utf8)

    private mutating func named(_ word: String, at start: Int) throws(TypeNotation.Malformed) -> TypeExpression {
        guard take("(") else {
            if let known = Scalar.names.first(where: { $0.name == word }) { return .scalar(known.scalar) }
            mentions.append(TypeNotation.Mention(name: word, offset: start))
            return .named(word)
        }
        guard word == "Date" else { return try parenthesized(word, at: start) }
        skipBlanks()
        let place = offset
        let name = self.word()
        guard let format = Scalar.DateFormat(rawValue: name) else {
            let known = Scalar.DateFormat.allCases.map(\.rawValue).joined(separator: ", ")
            let meant: String? =
                switch name.lowercased() {
                case "unix", "epoch", "timestamp", "s": "Date(seconds)"
                case "ms", "millis", "unixms": "Date(milliseconds)"
                case "iso", "rfc3339", "iso-8601": "Date"
                default: nil
                }
            throw malformed("'\(name)' is no date format", expected: known, suggestion: meant, at: place)
        }
        guard take(")") else { throw malformed("a parenthesis is open", expected: "')'") }
        return .scalar(.date(format))
    }
}
