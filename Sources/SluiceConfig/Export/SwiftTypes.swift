internal import SluiceContract
internal import SluiceRules

/// Turns types of a page into Swift types. Each has an initial value, so that a property need not state one.
final class SwiftTypes {
    private let definitions: [TypeDefinition]
    /// Swift names of the page's types, by their names in the page.
    private var names: [String: String] = [:]
    /// Names that are used or reserved: a nested type must not hide another type either.
    private var taken = SwiftName.taken
    /// Whether one of the types comes from Foundation.
    private(set) var needsFoundation = false
    /// Names of types that may hold themselves in place: classes, because a struct cannot.
    private let recursive: Set<String>
    private let defaults: SwiftDefault

    init(_ definitions: [TypeDefinition]) {
        self.definitions = definitions
        defaults = SwiftDefault(definitions)
        recursive = Self.recursive(definitions)
        for definition in definitions where names[definition.name] == nil {
            let name = SwiftName.type(definition.name)
            names[definition.name] = reserve([name, name + "Value"])
        }
    }

    /// A name that no other type of the file has.
    /// - Parameter candidates: in this order.
    func reserve(_ candidates: [String]) -> String {
        let name = SwiftName.unused(candidates, beside: taken)
        taken.insert(name)
        return name
    }

    /// A name for a nested type; it hides no type that may be used there.
    /// - Parameter enclosing: the names of the types around it.
    func inner(_ candidates: [String], within enclosing: [String]) -> String {
        SwiftName.unused(candidates, beside: taken.union(enclosing))
    }

    /// A type in Swift, and a value of it.
    struct Written {
        var type: String
        var value: String
        /// What Swift cannot express about the type.
        var comment: String?
        /// Declares the nested types that the type needs.
        var declare: ((inout SwiftText) -> Void)?

        /// `name = ""`, `size: Int8 = 0`, `picked: Date?`: what Swift can infer is left out.
        func declared(as name: String) -> String {
            // An optional behind an alias has no implicit nil.
            if value == "nil" { return "\(name): \(type)" + (type.hasSuffix("?") ? "" : " = nil") }
            let isPlain = value == "\(type)()" || ["String", "Bool", "Int"].contains(type)
            return isPlain ? "\(name) = \(value)" : "\(name): \(type) = \(value)"
        }
    }

    func declare(_ definition: TypeDefinition, in text: inout SwiftText) {
        text.gap()
        guard let name = names[definition.name] else { return }
        switch definition.type {
        case .object(let object): declare(object, name, isClass: recursive.contains(definition.name), in: &text)
        case .literals(let strings): declare(strings, name, in: &text)
        default:
            let written = written(definition.type, in: [name + "Element"])
            if let comment = written.comment { text.comment(comment) }
            text.line("typealias \(name) = \(written.type)")
            written.declare?(&text)
        }
    }

    // MARK: - Objects and enums

    private func declare(_ object: ObjectType, _ name: String, isClass: Bool, in text: inout SwiftText) {
        let properties = SwiftName.properties(object.fields.map(\.name))
        let fields = zip(object.fields, properties).map { field, property in
            let inner = SwiftName.type(field.name)
            return SwiftField(field, property, written(field.type, in: [inner, name + inner]), defaults)
        }
        // The compiler's own decoding would ask for the key, whatever the initial value is.
        let hasDefaults = fields.contains { $0.fallback != nil }
        text.block("\(isClass ? "final class" : "struct") \(name): Codable, Sendable") { text in
            var inner: [(inout SwiftText) -> Void] = []
            for field in fields {
                if let comment = field.comment { text.comment(comment) }
                let escaped = SwiftName.escaped(field.property)
                text.line(isClass ? "let \(escaped): \(field.type.type)" : "var " + field.type.declared(as: escaped))
                if let declare = field.type.declare { inner.append(declare) }
            }
            if fields.contains(where: { $0.key != $0.property }) {
                text.gap()
                text.block("enum CodingKeys: String, CodingKey") { text in
                    for field in fields {
                        let key = field.key == field.property ? "" : " = \(SwiftText.literal(field.key))"
                        text.line("case \(SwiftName.escaped(field.property))\(key)")
                    }
                }
            }
            if isClass || hasDefaults { initialiser(fields, in: &text) }
            if hasDefaults { decoding(fields, in: &text) }
            for declare in inner {
                text.gap()
                declare(&text)
            }
        }
    }

    private func initialiser(_ fields: [SwiftField], in text: inout SwiftText) {
        text.gap()
        let parameters = fields.map { "\(SwiftName.escaped($0.property)): \($0.type.type) = \($0.type.value)" }
        text.block("init", parameters) { text in
            for field in fields { text.line("self.\(field.property) = \(SwiftName.escaped(field.property))") }
        }
    }

    private func decoding(_ fields: [SwiftField], in text: inout SwiftText) {
        text.gap()
        text.block("init(from decoder: any Decoder) throws") { text in
            text.line("let fields = try decoder.container(keyedBy: CodingKeys.self)")
            for field in fields { text.line(field.decoding) }
        }
    }

    private func declare(_ strings: [String], _ name: String, in text: inout SwiftText) {
        text.block("enum \(name): String, Codable, Sendable, CaseIterable") { text in
            for (string, property) in zip(strings, SwiftName.properties(strings)) {
                let raw = property == string ? "" : " = \(SwiftText.literal(string))"
                text.line("case \(SwiftName.escaped(property))\(raw)")
            }
        }
    }

    // MARK: - Types in place

    /// - Parameter candidates: names for a type that may have to be declared for it.
    func written(_ type: TypeExpression, in candidates: [String]) -> Written {
        switch type {
        case .scalar(let scalar): return written(scalar)
        case .optional(let wrapped):
            var inner = written(wrapped, in: candidates)
            if !inner.type.hasSuffix("?") { inner.type += "?" }
            inner.value = "nil"
            return inner
        case .array(let element):
            var inner = written(element, in: candidates)
            (inner.type, inner.value) = ("[\(inner.type)]", "[]")
            return inner
        case .dictionary(let value):
            var inner = written(value, in: candidates)
            (inner.type, inner.value) = ("[String: \(inner.type)]", "[:]")
            return inner
        case .literals(let strings):
            let name = reserve(candidates)
            let first = SwiftName.escaped(SwiftName.properties(strings)[0])
            return Written(type: name, value: ".\(first)", declare: { self.declare(strings, name, in: &$0) })
        case .object(let object):
            let name = reserve(candidates)
            return Written(
                type: name, value: "\(name)()", declare: { self.declare(object, name, isClass: false, in: &$0) })
        case .named(let other): return Written(type: names[other] ?? "JSONValue", value: value(of: other))
        case .constrained(let inner, _):
            var inner = written(inner, in: candidates)
            inner.comment = "\(type)"
            return inner
        case .converted(_, let to): return written(to)
        case .open: return Written(type: "String", value: "\"\"", comment: "\(type)")
        case .union(let members) where Self.besideNull(members) != nil:
            return written(.optional(Self.besideNull(members) ?? .null), in: candidates)
        case .constant, .union, .choice, .null: return Written(type: "JSONValue", value: ".null", comment: "\(type)")
        }
    }

    /// `Date` of `Date | null`: the same as `Date?` in Swift.
    static func besideNull(_ members: [TypeExpression]) -> TypeExpression? {
        guard members.count == 2, members.contains(.null) else { return nil }
        return members.first { $0 != .null }
    }

    private func written(_ scalar: Scalar) -> Written {
        switch scalar {
        case .string: return Written(type: "String", value: "\"\"")
        case .quoted: return Written(type: "String", value: "\"\"", comment: scalar.name)
        case .bool: return Written(type: "Bool", value: "false")
        case .json: return Written(type: "JSONValue", value: ".null")
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double:
            return Written(type: scalar.name, value: "0")
        // Dates in seconds and milliseconds are numbers in JSON; a time without an offset is not a point in time.
        case .date(.seconds), .date(.milliseconds): return Written(type: "Double", value: "0", comment: scalar.name)
        case .date(.local): return Written(type: "String", value: "\"\"", comment: scalar.name)
        case .decimal, .date, .uuid, .url, .data: return foundation(scalar)
        }
    }

    private func foundation(_ scalar: Scalar) -> Written {
        needsFoundation = true
        let value =
            switch scalar {
            case .decimal: "0"
            case .date: "Date(timeIntervalSince1970: 0)"
            case .uuid: "UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))"
            case .url: "URL(filePath: \"/\")"
            default: "Data()"
            }
        return Written(type: scalar.name, value: value)
    }

    private func value(of name: String) -> String {
        guard let definition = definitions.first(where: { $0.name == name }) else { return ".null" }
        switch definition.type {
        case .literals(let strings): return ".\(SwiftName.escaped(SwiftName.properties(strings)[0]))"
        case .object: return "\(names[name] ?? name)()"
        // An alias of a list or dictionary: its value needs no name.
        case .array: return "[]"
        case .dictionary: return "[:]"
        case .optional: return "nil"
        default: return written(definition.type, in: []).value
        }
    }

    /// Names of types that contain themselves through fields and optionals, without a list or dictionary in between.
    private static func recursive(_ definitions: [TypeDefinition]) -> Set<String> {
        func direct(_ type: TypeExpression) -> [String] {
            switch type {
            case .named(let name): [name]
            case .optional(let inner), .constrained(let inner, _): direct(inner)
            case .union(let members): besideNull(members).map(direct) ?? []
            case .object(let object): object.fields.flatMap { direct($0.type) }
            default: []
            }
        }
        let ways = Dictionary(definitions.map { ($0.name, direct($0.type)) }) { first, _ in first }
        return Set(
            ways.keys.filter { name in
                var seen: Set<String> = []
                var waiting = ways[name] ?? []
                while let next = waiting.popLast() {
                    if next == name { return true }
                    if seen.insert(next).inserted { waiting += ways[next] ?? [] }
                }
                return false
            })
    }
}
