import SluiceContract

/// Unions of objects: by which keys or values the alternatives are told apart.
extension ShapeCompiler {
    /// A union of objects without a key that the configuration names to tell them apart.
    mutating func choice(
        of alternatives: [TypeExpression], _ options: Options, _ expected: String
    ) throws(PlanError) -> ChoiceShape {
        let objects = alternatives.map { alternative -> ObjectType? in
            if case .object(let object) = types.resolved(alternative) { object } else { nil }
        }
        guard let telling = ObjectTelling(objects, resolve: { [types] in types.resolved($0) }) else {
            throw .ambiguousUnion(expected)
        }
        var shapes: [Int] = []
        for alternative in alternatives { shapes.append(try number(of: alternative, options)) }
        switch telling {
        case .value(let field, let values):
            let key = options.keys(of: field)
            var ways: [(text: String, form: Way.Form, shape: Int)] = []
            var rest: Int?
            for (number, values) in values.enumerated() {
                ways += (values ?? []).map { ($0.text, $0.isString ? .string : .plain, shapes[number]) }
                if values == nil { rest = shapes[number] }
            }
            let none = try none(key, ways.map { ($0.text, $0.form) }, as: field, options)
            return ChoiceShape(key: key.in, ways: ways, otherwise: rest ?? none, sought: JSONText.quote(key.in))
        case .keys(let fields):
            var ways: [(text: String, form: Way.Form, shape: Int)] = []
            var rest: Int?
            for (number, fields) in fields.enumerated() {
                ways += fields.map { (options.keys(of: $0).in, .any, shapes[number]) }
                if fields.isEmpty { rest = shapes[number] }
            }
            let firsts = fields.compactMap { $0.first }.map { JSONText.quote(options.keys(of: $0).in) }
            let sought = firsts.joined(separator: " or ")
            if let rest { return ChoiceShape(key: nil, ways: ways, otherwise: rest, sought: sought) }
            let any = try number(of: .scalar(.json), options)
            var none = ObjectShape(others: .pass)
            none.fields = [
                FieldShape(
                    keyIn: ways[0].text, keyOut: ways[0].text, shape: any, isRequired: true, whenMissing: sought)
            ]
            return ChoiceShape(key: nil, ways: ways, otherwise: add(none, expected: expected), sought: sought)
        }
    }

    /// Objects told apart by a key that the configuration names. Each alternative has the key.
    mutating func choice(_ choice: ObjectChoice, _ options: Options) throws(PlanError) -> ChoiceShape {
        let field = choice.field(in: types)
        let key = options.keys(of: field)
        var ways: [(text: String, form: Way.Form, shape: Int)] = []
        for alternative in choice.alternatives {
            var type = types.resolved(alternative.type)
            if case .object(var object) = type {
                let only = Self.only([(alternative.value, .any)])
                if let number = object.fields.firstIndex(where: { options.keys(of: $0).in == key.in }) {
                    object.fields[number].type = only
                } else {
                    object.fields.append(ObjectType.Field(name: field.name, from: field.from, type: only))
                }
                type = .object(object)
            }
            let number = try number(of: type, options)
            shapes[number].expected = alternative.type.notation
            ways.append((alternative.value, .any, number))
        }
        let otherwise: Int
        if let others = choice.others {
            otherwise = try number(of: others, options)
        } else {
            otherwise = try none(key, ways.map { ($0.text, $0.form) }, as: field, options)
        }
        return ChoiceShape(key: key.in, ways: ways, otherwise: otherwise, sought: JSONText.quote(key.in))
    }

    /// The type of a value that is one of these: as a string, and as a number or a bool if it looks like one.
    private static func only(_ values: [(text: String, form: Way.Form)]) -> TypeExpression {
        let strings = values.filter { $0.form != .plain }.map(\.text)
        let plain = values.filter { $0.form != .string }.map(\.text)
            .filter { ["true", "false"].contains($0) || DecimalText.isNumber($0) }
        return .union((strings.isEmpty ? [] : [.literals(strings)]) + plain.map { .constant($0) })
    }

    /// The shape of an object that matches no alternative: the value of its key is a fault.
    private mutating func none(
        _ key: (in: String, out: String), _ values: [(text: String, form: Way.Form)], as field: ObjectType.Field,
        _ options: Options
    ) throws(PlanError) -> Int {
        var object = ObjectShape(others: .pass)
        let known = try number(of: Self.only(values), options)
        // Faults list the values, even if they are only numbers.
        shapes[known].expected =
            values.map { $0.form == .string ? TypeExpression.word($0.text) : $0.text }.joined(separator: " | ")
        object.fields = [FieldShape(keyIn: key.in, keyOut: key.out, shape: known, isRequired: true)]
        return add(object, expected: "object")
    }

    private mutating func add(_ object: ObjectShape, expected: String) -> Int {
        var shape = Shape(expected: expected)
        shape.object = object
        shapes.append(shape)
        return shapes.count - 1
    }
}
