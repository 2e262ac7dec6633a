/// A key path into a JSON document: `values`, `data.items[0].name`, `items.*.id`, `*.owner?.login`, `items[-1].id`,
/// `items[?kind=="home"].url`.
///
/// Components are separated by dots. Digits alone, or a number in brackets, are an array index, and `[-1]` is the last
/// element; `[?…]` is the first element for which a condition holds; `*` stands for every element of an array (the
/// values found are collected into one array); everything else is a key. A key that holds a dot, a bracket or a `?`, or
/// that looks like an index or a star, is written in double quotes, as a string of JSON: `"a.b".c`. What a problem
/// prints (`$.items[0].id`, `$["a.b"].c`, after RFC 9535) is read too.
public struct FieldPath: Hashable, Sendable {
    public var components: [Component]

    public init(components: [Component]) {
        self.components = components
    }

    /// Reads the notation; nil where ``FieldPath/read(_:)`` has something to say against it.
    public init?(_ text: String) {
        guard let path = try? Self.read(text) else { return nil }
        self = path
    }

    /// One step of the way, and whether it may lead nowhere.
    public struct Component: Hashable, Sendable {
        public var step: Step
        /// `?`: where its value is absent or null under a `*`, nothing is collected; without it, that is drift.
        public var isOptional: Bool

        public enum Step: Hashable, Sendable {
            case key(String)
            case index(Int)
            case wildcard
            /// The last element of an array.
            case last
            /// The first element of an array for which this holds.
            case first(where: Condition)

            /// Whether elements are looked at before it is known which one is meant.
            public var isChoice: Bool {
                switch self {
                case .last, .first: true
                case .key, .index, .wildcard: false
                }
            }
        }

        /// What is asked of an element of an array: `?kind=="home"`.
        public struct Condition: Hashable, Sendable {
            /// From the element on; without components, the element itself is compared.
            public var path: FieldPath
            public var value: Literal

            public init(_ path: FieldPath, _ value: Literal) {
                self.path = path
                self.value = value
            }
        }

        /// What a condition compares with.
        public enum Literal: Hashable, Sendable {
            case string(String)
            /// A number, or `true` or `false`, as JSON writes it.
            case plain(String)
        }

        public init(_ step: Step, isOptional: Bool = false) {
            self.step = step
            self.isOptional = isOptional
        }

        public static func key(_ key: String) -> Component { Component(.key(key)) }
        public static func index(_ index: Int) -> Component { Component(.index(index)) }
        public static let wildcard = Component(.wildcard)
    }

    /// The path of keys alone, or nil where it has an index, a star or a `?`; such a path can also wrap a body.
    public var keys: [String]? {
        var keys: [String] = []
        for component in components {
            guard case .key(let key) = component.step, !component.isOptional else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// Whether it leads to many values.
    public var hasWildcard: Bool { components.contains { $0.step == .wildcard } }
}

extension FieldPath: CustomStringConvertible {
    public var description: String { text(isCompared: false) }

    /// - Parameter isCompared: whether it stands in a condition, in which more characters mean something.
    fileprivate func text(isCompared: Bool) -> String {
        var text = ""
        for component in components {
            switch component.step {
            case .index(let index): text += "[\(index)]"
            case .wildcard: text += text.isEmpty ? "*" : ".*"
            case .last: text += "[-1]"
            case .first(let condition): text += "[\(condition)]"
            case .key(let key) where Self.isPlain(key) && !(isCompared && key.contains(where: FieldPathReader.ends)):
                text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += (text.isEmpty ? "" : ".") + JSONEscape.quoted(key)
            }
            if component.isOptional { text += "?" }
        }
        return text
    }

    /// From the root of a document, as problems print it.
    public var fromRoot: String {
        components.reduce("$") { text, component in
            let step =
                switch component.step {
                case .key(let key): Self.step(to: key)
                case .wildcard: ".*"
                case .index, .last, .first: FieldPath(components: [Component(component.step)]).description
                }
            return text + step + (component.isOptional ? "?" : "")
        }
    }
}

extension FieldPath.Component.Condition: CustomStringConvertible {
    public var description: String {
        let place = path.components.isEmpty ? "@" : path.text(isCompared: true)
        switch value {
        case .string(let text): return "?\(place)==\(JSONEscape.quoted(text))"
        case .plain(let json): return "?\(place)==\(json)"
        }
    }
}
