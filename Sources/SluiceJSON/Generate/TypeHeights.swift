internal import SluiceContract

/// How deep the smallest value of a type is: needed to end the values of recursive types.
struct TypeHeights {
    private let types: NamedTypes
    private var known: [String: Int] = [:]
    /// The height of a type that has no finite value.
    static let endless = 1 << 20

    init(_ definitions: [TypeDefinition]) {
        types = NamedTypes(definitions)
        // Each round settles at least one more name that depends on others.
        for _ in 0...definitions.count {
            var isDone = true
            for definition in definitions {
                let height = self.height(definition.type)
                if height != known[definition.name, default: Self.endless] {
                    known[definition.name] = height
                    isDone = false
                }
            }
            if isDone { break }
        }
    }

    func height(_ type: TypeExpression) -> Int {
        switch type {
        case .scalar, .literals, .open, .constant, .converted, .null, .optional, .dictionary, .array: 0
        case .constrained(.array(let element), let constraint):
            (Int(constraint.range?.lower ?? "") ?? 0) > 0 ? above(height(element)) : 0
        case .constrained(let inner, _): height(inner)
        case .union(let members): members.map(height).min() ?? Self.endless
        case .object(let object): above(height(object))
        case .choice(let choice):
            above((choice.alternatives.map(\.type) + [choice.others].compactMap(\.self)).map(height).min() ?? 0)
        case .named(let name): above(known[name, default: Self.endless])
        }
    }

    private func height(_ object: ObjectType) -> Int {
        object.fields.filter { !mayBeAbsent($0) }.map { height($0.type) }.max() ?? 0
    }

    func mayBeAbsent(_ field: ObjectType.Field) -> Bool {
        field.mayBeAbsent || field.defaultJSON != nil || types.isOptional(field.type)
    }

    private func above(_ height: Int) -> Int { min(height + 1, Self.endless) }
}
