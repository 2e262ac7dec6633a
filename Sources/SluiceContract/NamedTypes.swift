/// The types of one configuration, by name: looked up once for every mention, so that many bindings over many types
/// cost no more than their sum.
public struct NamedTypes: Sendable {
    /// Levels of types inside each other; documents are refused that are anything like as deep.
    public static let levelsMost = 512

    private var meanings: [String: TypeExpression]

    /// Of two types with one name the first counts.
    public init(_ definitions: [TypeDefinition]) {
        meanings = Dictionary(definitions.map { ($0.name, $0.type) }) { first, _ in first }
        // A name for a name is brought to what it means in the end, each once.
        var done: Set<String> = []
        for definition in definitions {
            guard case .named = definition.type else { continue }
            var way: [String] = []
            var type = TypeExpression.named(definition.name)
            while case .named(let name) = type, let meaning = meanings[name], done.insert(name).inserted {
                way.append(name)
                type = meaning
            }
            if case .named(let name) = type, !way.contains(name), let meaning = meanings[name] { type = meaning }
            for name in way { meanings[name] = type }
        }
    }

    /// Whether the name stands for something, be it in a circle for itself.
    public func contains(_ name: String) -> Bool { meanings[name] != nil }

    /// What is behind a name, and the names that it stands for.
    /// - Returns: a name that is unknown, or that leads back to itself, where one does.
    public func resolved(_ type: TypeExpression) -> TypeExpression {
        if case .named(let name) = type { meanings[name] ?? type } else { type }
    }

    /// Whether a value of this type may be absent.
    public func isOptional(_ type: TypeExpression) -> Bool {
        if case .optional = resolved(type) { true } else { false }
    }

    /// Fields of an object that are taken from the answer's head; none of a value that is no object.
    public func headFields(of type: TypeExpression) -> [ObjectType.Field] {
        var meaning = resolved(type)
        while case .optional(let wrapped) = meaning { meaning = resolved(wrapped) }
        guard case .object(let object) = meaning else { return [] }
        return object.fields.filter { $0.source != nil && $0.path == nil }
    }
}
