/// What names of types mean where answers of several bindings are put together: what clients get of them. A type may
/// be written with the upstream's keys and renamed on the way (`keys: camelCase`), so a name means what those bindings
/// make of it that ask an upstream.
public struct LocalTypes: Sendable {
    /// In the form that clients get.
    public private(set) var definitions: [TypeDefinition] = []
    /// The same with the places that their authors read fields from.
    public private(set) var placed: [TypeDefinition] = []
    /// Names that have other keys from one binding than from another.
    public private(set) var ambiguous: [Ambiguity] = []

    public struct Ambiguity: Hashable, Sendable {
        /// The name of the type.
        public var name: String
        /// A key as the type declares it, and as clients of the binding get it that renames.
        public var declared: String
        public var renamed: String
        /// A binding that renames, and one that does not.
        public var renamingBinding: String
        public var plainBinding: String
    }

    public init(_ configuration: Configuration) {
        let users = Self.users(configuration)
        for definition in configuration.types {
            let (plain, renaming) = (users.plain[definition.name], users.renaming[definition.name])
            let keys: KeyStyle = renaming != nil && plain == nil ? .camelCase : .verbatim
            definitions.append(TypeDefinition(name: definition.name, type: definition.type.localForm(keys)))
            placed.append(TypeDefinition(name: definition.name, type: definition.type.placed(keys)))
            guard let plain, let renaming, let key = definition.type.renamedKey else { continue }
            ambiguous.append(
                Ambiguity(
                    name: definition.name, declared: key, renamed: KeyStyle.camelCase.localKey(key),
                    renamingBinding: renaming, plainBinding: plain))
        }
    }

    /// All names that types of some bindings lead to.
    public func names(in bindings: [Binding]) -> Set<String> {
        let meanings = Dictionary(definitions.map { ($0.name, $0.type.names) }) { first, _ in first }
        var waiting = bindings.flatMap(\.typeNames)
        var names: Set<String> = []
        while let name = waiting.popLast() {
            if names.insert(name).inserted { waiting += meanings[name] ?? [] }
        }
        return names
    }

    /// The first binding that uses each name as it is, and the first that renames its keys. What is made of parts does
    /// neither: it takes what it gets.
    private static func users(_ configuration: Configuration) -> (plain: [String: String], renaming: [String: String]) {
        let meanings = Dictionary(configuration.types.map { ($0.name, $0.type.names) }) { first, _ in first }
        var (plain, renaming): ([String: String], [String: String]) = ([:], [:])
        for binding in configuration.bindings where binding.composition == nil {
            var waiting = binding.typeNames
            while let name = waiting.popLast() {
                switch binding.keys {
                case .verbatim where plain[name] == nil: plain[name] = binding.name
                case .camelCase where renaming[name] == nil: renaming[name] = binding.name
                case .verbatim, .camelCase: continue
                }
                waiting += meanings[name] ?? []
            }
        }
        return (plain, renaming)
    }
}

extension Binding {
    /// Names in the types of what it takes and gives.
    fileprivate var typeNames: [String] {
        var types = [value].compactMap(\.self) + valueByStatus.values
        switch body {
        case .json(let type): types.append(type)
        case .form(let object): types.append(.object(object))
        case .passThrough, .none, .text, .raw, .multipart: break
        }
        types += parameters.filter { $0.location == .body }.map(\.type)
        return types.flatMap(\.names)
    }
}

extension TypeExpression {
    /// Types right inside of this one.
    private var inner: [TypeExpression] {
        switch self {
        case .scalar, .literals, .open, .constant, .converted, .null, .named: []
        case .constrained(let inner, _), .array(let inner), .dictionary(let inner), .optional(let inner): [inner]
        case .union(let members): members
        case .choice(let choice): choice.alternatives.map(\.type) + [choice.others].compactMap(\.self)
        case .object(let object): object.fields.map(\.type)
        }
    }

    /// Names that it mentions.
    public var names: [String] {
        if case .named(let name) = self { return [name] }
        return inner.flatMap(\.names)
    }

    /// A key that clients do not see as it is declared, where keys are renamed; not one of what a name stands for.
    fileprivate var renamedKey: String? {
        if case .object(let object) = self {
            let names = object.fields.map(\.name)
            if let name = names.first(where: { KeyStyle.camelCase.localKey($0) != $0 }) { return name }
        }
        return inner.lazy.compactMap(\.renamedKey).first
    }

    /// With keys as clients see them, and the places where they are read.
    public func placed(_ keys: KeyStyle) -> TypeExpression {
        switch self {
        case .scalar, .literals, .open, .constant, .converted, .null, .named, .constrained(.scalar, _): return self
        case .constrained(let inner, let constraint): return .constrained(inner.placed(keys), constraint)
        case .array(let element): return .array(element.placed(keys))
        case .dictionary(let value): return .dictionary(value.placed(keys))
        case .optional(let wrapped): return .optional(wrapped.placed(keys))
        case .union(let members): return .union(members.map { $0.placed(keys) })
        case .choice(var choice):
            choice.key = keys.localKey(choice.key)
            for index in choice.alternatives.indices {
                choice.alternatives[index].type = choice.alternatives[index].type.placed(keys)
            }
            choice.others = choice.others?.placed(keys)
            return .choice(choice)
        case .object(var object):
            for index in object.fields.indices {
                object.fields[index].name = keys.localKey(object.fields[index].name)
                object.fields[index].type = object.fields[index].type.placed(keys)
            }
            return .object(object)
        }
    }
}
