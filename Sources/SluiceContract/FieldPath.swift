/// A key path into a JSON document: `values`, `data.items.*.id`, `results.0.name`.
///
/// Components are separated by dots. A component of digits alone is an array index, `*` stands for every element of
/// an array (the values found are collected into one array), everything else is a key. A key that holds a dot, or
/// that looks like an index or a star, is written in double quotes: `"a.b".c`.
public struct FieldPath: Hashable, Sendable {
    public var components: [Component]

    public enum Component: Hashable, Sendable {
        case key(String)
        case index(Int)
        case wildcard
    }

    public init(components: [Component]) {
        self.components = components
    }

    /// Reads the notation; nil where it has an empty component or an unclosed quote.
    public init?(_ text: String) {
        var components: [Component] = []
        var rest = Substring(text)
        while true {
            if rest.first == "\"" {
                rest.removeFirst()
                guard let close = rest.firstIndex(of: "\"") else { return nil }
                components.append(.key(String(rest[..<close])))
                rest = rest[rest.index(after: close)...]
                if rest.isEmpty { break }
                guard rest.removeFirst() == "." else { return nil }
            } else {
                let end = rest.firstIndex(of: ".") ?? rest.endIndex
                guard let component = Component(unquoted: rest[..<end]) else { return nil }
                components.append(component)
                if end == rest.endIndex { break }
                rest = rest[rest.index(after: end)...]
            }
        }
        self.components = components
    }

    /// The path of keys alone, or nil where it has an index or a star; such a path can also wrap a body.
    public var keys: [String]? {
        var keys: [String] = []
        for component in components {
            guard case .key(let key) = component else { return nil }
            keys.append(key)
        }
        return keys
    }
}

extension FieldPath.Component {
    fileprivate init?(unquoted text: Substring) {
        if text.isEmpty { return nil }
        if text == "*" {
            self = .wildcard
        } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let index = Int(text) else { return nil }
            self = .index(index)
        } else {
            if text.contains("\"") { return nil }
            self = .key(String(text))
        }
    }
}

extension FieldPath: CustomStringConvertible {
    public var description: String {
        components.map { component in
            switch component {
            case .index(let index): return String(index)
            case .wildcard: return "*"
            case .key(let key):
                let plain = FieldPath.Component(unquoted: Substring(key)) == .key(key) && !key.contains(".")
                return plain ? key : "\"\(key)\""
            }
        }.joined(separator: ".")
    }
}
