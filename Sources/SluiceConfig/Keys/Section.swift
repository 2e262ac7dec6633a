import SluiceContract
import SluiceRules

/// A mapping of the configuration with a closed set of keys; the reader, the schema and the documentation all use it.
struct Section: Sendable {
    /// As the documentation and the schema call it.
    var name: String
    var summary: String
    var keys: [Key]
    /// The shape of a value under a status (`404:`); nil where statuses are not allowed as keys.
    var statuses: Shape?
    /// Whether an unknown key may be a secret, so that messages do not repeat it.
    var holdsSecrets = false
    /// Whether keys that begin with `x-` are ignored: they are a place for values with anchors.
    var takesExtensions = false
    /// The key to suggest where a single value stands in the place of the mapping.
    var bareKey: String?
    /// Keys that exclude each other: where one is present, the others are not suggested.
    var alternatives: [String] = []

    /// One key. Its shape is made only on demand: reading a page needs only the names, and otherwise the whole tree of
    /// sections would be built at each start.
    struct Key: Sendable {
        var name: String
        private let makeShape: @Sendable () -> Shape
        private let makeFallback: @Sendable () -> String
        var isRequired = false
        /// One sentence without its full stop.
        var summary: String

        init(
            _ name: String, _ shape: @autoclosure @escaping @Sendable () -> Shape,
            default fallback: @autoclosure @escaping @Sendable () -> String = "none", _ summary: String
        ) {
            self.name = name
            makeShape = shape
            makeFallback = fallback
            self.summary = summary
        }

        var shape: Shape { makeShape() }

        /// Whether its value is a mapping in which secrets may stand.
        var holdsSecrets: Bool {
            if case .section(let section) = shape { section.holdsSecrets } else { false }
        }

        /// The default as the documentation shows it.
        var fallback: String { makeFallback() }

        static func required(
            _ name: String, _ shape: @autoclosure @escaping @Sendable () -> Shape, _ summary: String
        ) -> Key {
            var key = Key(name, shape(), default: "required", summary)
            key.isRequired = true
            return key
        }
    }

    /// Lists of keys up to this length are shown in full, even beside a suggestion.
    static let shortListMax = 8

    /// The keys for messages, the most common ones first.
    var keyList: String {
        let names = keys.prefix(Self.shortListMax).map(\.name) + (keys.count > Self.shortListMax ? ["…"] : [])
        return (statuses == nil ? "" : "a status, or ") + "one of the keys " + names.joined(separator: ", ")
    }

    /// A suggestion for an unknown key.
    /// - Parameter isThere: whether another key is present in the same mapping.
    func suggestion(for key: String, beside isThere: (String) -> Bool = { _ in false }) -> Suggestion? {
        let isDecided = alternatives.contains(where: isThere)
        let names = keys.map(\.name).filter { !isDecided || !alternatives.contains($0) }
        return ForeignKey.name(for: key, in: self).map { .didYouMean($0) }
            ?? ForeignKey.advice(for: key, in: self).map { .advice($0) }
            ?? Nearest.suggestion(for: key, among: names)
            ?? SectionMap.places(of: key, outside: self).map { .advice("it belongs \($0)") }
    }

    func key(_ name: String) -> Key? {
        keys.first { $0.name == name }
    }
}

/// The shape of a value.
indirect enum Shape: Sendable {
    case text(pattern: String? = nil)
    case duration
    case size
    case flag
    case integer(ClosedRange<Int>)
    /// A size or duration between two others, as the documentation writes them.
    case within(Shape, least: String, most: String)
    case choice([String])
    case path
    case list(Shape)
    /// One, or a list of them.
    case oneOrMany(Shape)
    /// A mapping of free names that match the pattern; the values have the given shape.
    case names(pattern: String?, Shape)
    case section(Section)
    case either([Shape])
    /// A type in Swift notation or as YAML structure.
    case type
    /// A type with the default and the name that a field or parameter may have.
    case field(Section)
    /// Anything: JSON data.
    case any
}
