/// Reader of the type notation: `Int`, `[Fruit]`, `[String: Int]`, `Date(seconds)?`, `red | green`, `String | null`,
/// and, for fields and parameters, a default after `=`. Where the value of a field stands may be said behind `from`.
///
///     field   = type [ "from" source ] [ "=" default ]
///     type    = suffix *( "|" suffix )
///     suffix  = primary [ "->" primary ] [ "?" ]
///     primary = "[" type "]" [ limits ] / "[" "String" ":" type "]" / "(" type ")" / Name [ "(" word ")" / limits ]
///             / "null" / "true" / "false" / number / string / "…" / "..."
///     limits  = "(" limit *( "," limit ) ")"
///     limit   = number / [ number ] "..." [ number ] / number "..<" number / "/" pattern "/" / "unique"
///
/// A name that begins with a capital is a type, a number or a truth value stands for itself, and any other word is a
/// string of a closed set; a string that begins with a capital or holds other characters than a word's is written in
/// double quotes. Where `…` stands beside strings, the set may grow.
public enum TypeNotation {
    /// Why a text could not be read, with the offset in bytes where it went wrong.
    public struct Malformed: Error, Hashable, Sendable {
        public var offset: Int
        public var message: String
        public var expected: String
        /// What the author may have meant.
        public var suggestion: String?
    }

    /// A type, with where it names others and the text of its default.
    public struct Reading: Hashable, Sendable {
        public var type: TypeExpression
        /// Every name that is not a scalar's, in order.
        public var mentions: [Mention] = []
        /// Every string of a closed set that stands without quotes, in order.
        public var words: [Mention] = []
        /// Every number and truth value that stands for itself, in order.
        public var constants: [Mention] = []
        /// What stands behind `=`, trimmed; its meaning depends on the type.
        public var defaultText: String?
        public var defaultOffset = 0
        /// What stands behind `from`, trimmed (``FieldSource``).
        public var sourceText: String?
        public var sourceOffset = 0
    }

    /// A place in the text where a name or a word stands.
    public struct Mention: Hashable, Sendable {
        public var name: String
        public var offset: Int
    }

    /// Reads a type alone.
    public static func type(_ text: String) throws(Malformed) -> Reading {
        let reading = try field(text)
        if reading.defaultText != nil {
            throw Malformed(
                offset: reading.defaultOffset, message: "a default has no place here", expected: "a type alone")
        }
        if let source = reading.sourceText {
            throw Malformed(
                offset: reading.sourceOffset, message: "'from \(source)' has a place behind the type of a field alone",
                expected: "'parent:' for where the whole value stands, or a field of an object")
        }
        return reading
    }

    /// Reads a type and, where there is one, the default behind it.
    public static func field(_ text: String) throws(Malformed) -> Reading {
        var parser = TypeNotationParser(text)
        var reading = Reading(type: try parser.type())
        reading.mentions = parser.mentions
        reading.words = parser.words
        reading.constants = parser.constants
        guard !parser.isAtEnd else { return reading }
        if let source = try parser.source() {
            reading.sourceText = source.text
            reading.sourceOffset = source.offset
            guard !parser.isAtEnd else { return reading }
        }
        guard parser.take("=") else {
            throw parser.malformed(
                "there is more text behind the type", expected: "'|', '?', '=', 'from' or the end",
                suggestion: suggestion(reading.type, in: text, before: parser.rest()))
        }
        parser.skipBlanks()
        reading.defaultOffset = parser.offset
        let rest = parser.rest()
        if rest.isEmpty {
            throw parser.malformed("the default is missing", expected: "a value behind '='")
        }
        reading.defaultText = rest
        return reading
    }
}

extension TypeNotation {
    /// `Array<Int>`, `list<string>`, `Optional<Int>`, `List[Int]` as the notation has them.
    /// - Parameter foreign: the name here of a type that other languages call so.
    package static func meaning(
        of word: Substring, element: String, foreign: (String) -> String? = { _ in nil }
    ) -> String? {
        let element = self.element(named: element, foreign)
        switch word.lowercased() {
        case "array", "list", "set", "vec", "vector": return "[\(element)]"
        case "optional", "option", "maybe": return "\(element)?"
        default: return nil
        }
    }

    private static func element(named name: String, _ foreign: (String) -> String? = { _ in nil }) -> String {
        Scalar.names.first { $0.name.lowercased() == name.lowercased() }?.name ?? foreign(name) ?? name
    }

    /// `Int[]`, `Int,`, `List[Int]`, `Map<String, Int>` and `open, closed` as the notation has them.
    private static func suggestion(_ type: TypeExpression, in text: String, before rest: String) -> String? {
        if case .named(let name) = type {
            if rest.hasPrefix("["), rest.hasSuffix("]"), rest.count > 2 {
                return meaning(of: name[...], element: String(rest.dropFirst().dropLast()))
            }
            if rest.hasPrefix(","), text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
                let value = rest.dropFirst().dropLast().drop { $0 == " " }
                return ["map", "dict", "dictionary", "record"].contains(text[..<open].lowercased())
                    ? "[String: \(element(named: String(value)))]" : nil
            }
        }
        switch rest {
        case "[]": return "[\(type)]"
        case ",", ";": return "\(type)"
        default:
            guard case .literals(let words) = type else { return nil }
            if rest.hasPrefix("of "), [["array"], ["list"]].contains(words) { return "[\(rest.dropFirst(3))]" }
            if !rest.contains(" "), [["nullable"], ["optional"], ["maybe"]].contains(words) { return "\(rest)?" }
            guard rest.hasPrefix(",") else { return nil }
            return (words + rest.dropFirst().split(separator: ",").map { String($0.drop { $0 == " " }) })
                .joined(separator: " | ")
        }
    }
}

extension Scalar {
    /// The names of the notation, in the order of the documentation; `Date` also takes a format.
    public static let names: [(name: String, scalar: Scalar)] = [
        ("String", .string), ("Bool", .bool),
        ("Int", .int), ("Int8", .int8), ("Int16", .int16), ("Int32", .int32), ("Int64", .int64),
        ("UInt", .uint), ("UInt8", .uint8), ("UInt16", .uint16), ("UInt32", .uint32), ("UInt64", .uint64),
        ("Double", .double), ("Decimal", .decimal),
        ("Date", .date(.iso8601)), ("UUID", .uuid), ("URL", .url), ("Data", .data), ("JSON", .json),
    ]

    /// As the notation writes it.
    public var name: String {
        if case .date(let format) = self, format != .iso8601 { return "Date(\(format.rawValue))" }
        if case .quoted(let inner) = self { return "\(inner.rawValue)(string)" }
        return Scalar.names.first { $0.scalar == self }?.name ?? ""
    }
}
