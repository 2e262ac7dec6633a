import SluiceContract
import SluiceRules

/// A mapping of the configuration with a closed set of keys: reader, schema and documentation are driven by it.
struct Section: Sendable {
    /// As the documentation and the schema call it.
    var name: String
    var summary: String
    var keys: [Key]
    /// What may stand under a status (`404:`) beside the keys; nil where statuses are no keys.
    var statuses: Shape?
    /// Whether an unknown key may be a secret, and is not repeated in messages.
    var holdsSecrets = false
    /// Whether keys that begin with `x-` are left alone: a place for what anchors are set on.
    var takesExtensions = false
    /// The key that is meant where its value stands in the place of the mapping.
    var bareKey: String?
    /// Keys of which one alone can stand there, so that none of them is meant beside another.
    var alternatives: [String] = []

    /// What its value looks like is worked out when it is asked for: a page is read by names, and the whole tree of
    /// sections would be made at each start.
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

        /// The default as the documentation tells it.
        var fallback: String { makeFallback() }

        static func required(
            _ name: String, _ shape: @autoclosure @escaping @Sendable () -> Shape, _ summary: String
        ) -> Key {
            var key = Key(name, shape(), default: "required", summary)
            key.isRequired = true
            return key
        }
    }

    /// Lists of keys up to this length are told as a whole, and beside a suggestion, too.
    static let shortListMax = 8

    /// For messages: those that are mostly meant come first.
    var keyList: String {
        let names = keys.prefix(Self.shortListMax).map(\.name) + (keys.count > Self.shortListMax ? ["…"] : [])
        return (statuses == nil ? "" : "a status, or ") + "one of the keys " + names.joined(separator: ", ")
    }

    /// What an author may have meant by a key that is not known.
    /// - Parameter isThere: whether another key stands beside it.
    func suggestion(for key: String, beside isThere: (String) -> Bool = { _ in false }) -> Suggestion? {
        let isDecided = alternatives.contains(where: isThere)
        let names = keys.map(\.name).filter { !isDecided || !alternatives.contains($0) }
        return ForeignKey.name(for: key, in: self).map { .didYouMean($0) }
            ?? ForeignKey.advice(for: key, in: self).map { .advice($0) }
            ?? Nearest.suggestion(for: key, among: names)
            ?? SectionMap.places(of: key, outside: self).map { .advice("it belongs under \($0)") }
    }

    func key(_ name: String) -> Key? {
        keys.first { $0.name == name }
    }
}

/// What may stand as a value.
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
    /// Free names, of this pattern, each with such a value.
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
