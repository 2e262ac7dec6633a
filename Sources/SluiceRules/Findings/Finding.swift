/// One thing that a configuration says wrongly, or that is odd in it, and where.
public struct Finding: Hashable, Sendable {
    public var severity: Severity
    public var path: ConfigurationPath
    /// Which part of the place is meant, for a reader that finds it in a text.
    public var anchor: Anchor
    /// What is wrong.
    public var message: Message
    /// What would be right.
    public var expected: String?
    /// The nearest known name, or what to do.
    public var suggestion: Suggestion?

    public enum Severity: Hashable, Sendable {
        /// The configuration cannot be served.
        case mistake
        /// It can, and is probably not meant so.
        case warning
    }

    public enum Anchor: Hashable, Sendable {
        case key
        case value
        /// The end of the key: a route's path.
        case endOfKey(String)
        /// The end of the value's text: the path of `to:`.
        case endOfValue(String)
        /// The type that a value has in its long or short form.
        case type
        /// What a list or a dictionary there is made of.
        case innerType
        /// A name in that type, or another part of its text.
        case nameInType(String)
    }

    public init(
        _ severity: Severity, _ path: ConfigurationPath, _ anchor: Anchor, _ message: Message, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        self.severity = severity
        self.path = path
        self.anchor = anchor
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
    }
}

extension Finding: CustomStringConvertible {
    /// `path: message; expected …; did you mean …?`
    public var description: String {
        let place = path.segments.isEmpty ? "" : "\(path): "
        return place + message.description + (Suggestion.hint(expected: expected, suggestion).map { "; \($0)" } ?? "")
    }
}

extension Finding {
    /// What is wrong, in words, some of which may name another place: `"is bound already, in \(place: path)"`.
    public struct Message: Hashable, Sendable {
        private var parts: [Part]

        fileprivate enum Part: Hashable, Sendable {
            case text(String)
            case place(ConfigurationPath)
        }

        /// The words, with other places as `shown` has them.
        public func text(_ shown: (ConfigurationPath) -> String) -> String {
            parts.map { part in
                switch part {
                case .text(let text): text
                case .place(let path): shown(path)
                }
            }.joined()
        }
    }
}

extension Finding.Message: CustomStringConvertible {
    public var description: String { text(\.description) }
}

extension Finding.Message: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) {
        parts = [.text(text)]
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            parts.append(.text(literal))
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        /// Another place, as a file's line or as its path.
        public mutating func appendInterpolation(place: ConfigurationPath) {
            parts.append(.place(place))
        }
    }
}
