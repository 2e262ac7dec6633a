import SluiceContract

/// Turns type expressions into shapes. An expression that recurs, even within itself, becomes one shape.
struct ShapeCompiler {
    /// Settings with which an expression is compiled.
    struct Options: Hashable {
        var unknown: UnknownKeys
        var keys: KeyStyle
        var direction: Extraction.Direction

        /// The keys of a field in the input document and in the output.
        func keys(of field: ObjectType.Field) -> (in: String, out: String) {
            keys.keys(of: field, direction)
        }
    }

    private struct Key: Hashable {
        var expression: TypeExpression
        var options: Options
    }

    /// An expression that has a number but no shape yet.
    private struct Waiting {
        var key: Key
        var number: Int
        var depth: Int
    }

    let types: NamedTypes
    private var known: [Key: Int] = [:]
    /// Expressions in the order in which they were found: the less deep ones come first.
    private var waiting: [Waiting] = []
    /// Depth of the expression that is being compiled.
    private var depth = 0
    var shapes: [Shape] = []

    init(_ types: NamedTypes) {
        self.types = types
    }

    /// Makes the expression's shape and all shapes that it leads to, and returns its number. The shapes are made level
    /// by level, so that the stack does not grow, and the depth of a type is that of the shortest way to it.
    mutating func shape(of expression: TypeExpression, _ options: Options) throws(PlanError) -> Int {
        depth = 0
        let number = try number(of: expression, options)
        var next = 0
        while next < waiting.count {
            let one = waiting[next]
            next += 1
            depth = one.depth
            var shape = shapes[one.number]
            var names: Set<String> = []
            try merge(one.key.expression, into: &shape, one.key.options, &names)
            shapes[one.number] = shape
        }
        waiting.removeAll()
        return number
    }

    /// The number of the expression's shape, which may still have to be made.
    mutating func number(of expression: TypeExpression, _ options: Options) throws(PlanError) -> Int {
        let key = Key(expression: expression, options: options)
        if let number = known[key] { return number }
        guard depth < NamedTypes.levelsMost else { throw .tooDeep(NamedTypes.levelsMost) }
        let number = shapes.count
        known[key] = number
        shapes.append(Shape(expected: expression.notation))
        waiting.append(Waiting(key: key, number: number, depth: depth + 1))
        return number
    }

    private mutating func merge(
        _ expression: TypeExpression, into shape: inout Shape, _ options: Options, _ names: inout Set<String>
    ) throws(PlanError) {
        switch expression {
        case .scalar(let scalar): merge(scalar, into: &shape)
        case .literals(let literals): shape.strings.append(ScalarRule(grammar: .literals, literals: literals))
        case .open(let literals): shape.strings.append(ScalarRule(grammar: .openLiterals, literals: literals))
        case .constant("true"): shape.acceptsTrue = true
        case .constant("false"): shape.acceptsFalse = true
        case .constant(let number): shape.numbers.append(ScalarRule(grammar: .literals, literals: [number]))
        case .constrained(let inner, let constraint):
            try merge(inner, constraint, into: &shape, options)
        case .converted(let from, let to): merge(from, to, into: &shape, options)
        case .null: shape.acceptsNull = true
        case .optional(let wrapped):
            shape.acceptsNull = true
            try merge(wrapped, into: &shape, options, &names)
        case .choice(let choice):
            guard shape.object == nil, shape.choice == nil else { throw .ambiguousUnion(shape.expected) }
            shape.choice = try self.choice(choice, options)
        case .union(let all):
            var alternatives = all
            let objects = all.filter(types.isObject)
            if objects.count > 1 {
                alternatives.removeAll(where: types.isObject)
                guard shape.object == nil, shape.choice == nil else { throw .ambiguousUnion(shape.expected) }
                shape.choice = try choice(of: objects, options, shape.expected)
            }
            for alternative in alternatives { try merge(alternative, into: &shape, options, &names) }
        case .array(let element):
            guard shape.element == nil else { throw .ambiguousUnion(shape.expected) }
            shape.element = try number(of: element, options)
        case .dictionary(let value):
            guard shape.object == nil, shape.choice == nil else { throw .ambiguousUnion(shape.expected) }
            shape.object = ObjectShape(others: .values(try number(of: value, options)))
        case .object(let object):
            guard shape.object == nil, shape.choice == nil else { throw .ambiguousUnion(shape.expected) }
            shape.object = try compile(object, options)
        case .named(let name):
            let meaning = types.resolved(expression)
            if case .named(let last) = meaning {
                throw types.contains(last) ? .circularAlias(last) : .unknownType(last)
            }
            guard names.insert(name).inserted else { throw .circularAlias(name) }
            guard names.count <= NamedTypes.levelsMost else { throw .tooDeep(NamedTypes.levelsMost) }
            try merge(meaning, into: &shape, options, &names)
            names.remove(name)
        }
    }

    /// Merges a constrained type, which has to be a scalar or an array.
    private mutating func merge(
        _ inner: TypeExpression, _ constraint: Constraint, into shape: inout Shape, _ options: Options
    ) throws(PlanError) {
        if case .array(let element) = inner {
            guard shape.element == nil else { throw .ambiguousUnion(shape.expected) }
            shape.element = try number(of: element, options)
            shape.elements = constraint
            return
        }
        guard case .scalar(let scalar) = inner else { throw .unconstrainable(inner.notation) }
        var alone = Shape(expected: shape.expected)
        merge(scalar, into: &alone)
        func constrained(_ rules: [ScalarRule]) -> [ScalarRule] {
            rules.map { ScalarRule(grammar: $0.grammar, literals: $0.literals, constraint: constraint) }
        }
        shape.strings += constrained(alone.strings)
        shape.numbers += constrained(alone.numbers)
    }

    /// Merges a converted scalar; in a request the conversion is inverted. A string that is converted to a number has
    /// to contain one.
    private func merge(_ from: Scalar, _ to: Scalar, into shape: inout Shape, _ options: Options) {
        guard let conversion = Conversion(from: from, to: to) else { return }
        let isAnswer = options.direction == .fromUpstream
        var input = isAnswer ? from : to
        if input == .string { input = .quoted(from == .int ? .int : from == .double ? .double : .decimal) }
        var alone = Shape(expected: shape.expected)
        merge(input, into: &alone)
        func converted(_ rules: [ScalarRule]) -> [ScalarRule] {
            rules.map { ScalarRule(grammar: $0.grammar, conversion: isAnswer ? conversion : conversion.inverse) }
        }
        shape.strings += converted(alone.strings)
        shape.numbers += converted(alone.numbers)
    }

    /// The default in the form of the output.
    private func defaultJSON(of field: ObjectType.Field, _ options: Options) throws(PlanError) -> String? {
        guard let text = field.defaultJSON else { return nil }
        guard let node = JSONNode(text) else { throw .invalidDefault(field.name, "is not valid JSON") }
        let form = DeclaredValue(types, keys: options.keys, direction: options.direction, unknown: options.unknown)
        do {
            return try form.json(of: node, field.type)
        } catch {
            throw error.planError(of: field.name)
        }
    }

    private func merge(_ scalar: Scalar, into shape: inout Shape) {
        switch scalar {
        case .json: shape.isAny = true
        case .bool:
            shape.acceptsTrue = true
            shape.acceptsFalse = true
        case .quoted(.int): shape.strings.append(ScalarRule(grammar: .quotedInt))
        case .quoted(.double): shape.strings.append(ScalarRule(grammar: .quotedDouble))
        case .quoted(.decimal): shape.strings.append(ScalarRule(grammar: .quotedDecimal))
        case .quoted(.bool): shape.strings.append(ScalarRule(grammar: .quotedBool))
        case .string: shape.strings.append(ScalarRule(grammar: .anyString))
        case .date(.iso8601): shape.strings.append(ScalarRule(grammar: .date))
        case .date(.local): shape.strings.append(ScalarRule(grammar: .localDate))
        case .uuid: shape.strings.append(ScalarRule(grammar: .uuid))
        case .url: shape.strings.append(ScalarRule(grammar: .url))
        case .data: shape.strings.append(ScalarRule(grammar: .base64))
        case .decimal: shape.numbers.append(ScalarRule(grammar: .anyNumber))
        case .double, .date(.seconds), .date(.milliseconds): shape.numbers.append(ScalarRule(grammar: .double))
        case .int, .int64: shape.numbers.append(ScalarRule(grammar: .int64))
        case .int8: shape.numbers.append(ScalarRule(grammar: .int8))
        case .int16: shape.numbers.append(ScalarRule(grammar: .int16))
        case .int32: shape.numbers.append(ScalarRule(grammar: .int32))
        case .uint, .uint64: shape.numbers.append(ScalarRule(grammar: .uint64))
        case .uint8: shape.numbers.append(ScalarRule(grammar: .uint8))
        case .uint16: shape.numbers.append(ScalarRule(grammar: .uint16))
        case .uint32: shape.numbers.append(ScalarRule(grammar: .uint32))
        }
    }

    private mutating func compile(_ object: ObjectType, _ options: Options) throws(PlanError) -> ObjectShape {
        let others: ObjectShape.Others =
            switch object.unknown ?? options.unknown {
            case .pass: .pass
            case .drop: .drop
            case .reject: .reject
            }
        var compiled = ObjectShape(others: others)
        compiled.isComposed = object.isComposed
        if object.isComposed, options.direction == .toUpstream {
            throw .composedRequest(TypeExpression.object(object).notation)
        }
        if let (one, other) = object.overlap { throw .overlap(one.name, other.name) }
        var keysIn: Set<String> = []
        var keysOut: Set<String> = []
        for field in object.fields {
            let (key, keyOut) = options.keys(of: field)
            guard keysOut.insert(keyOut).inserted else { throw .duplicateKey(keyOut) }
            // Values from the answer's head are inserted by the reader of the head (``Extractor/lead(_:of:)``).
            if field.path == nil { continue }
            let path = field.source?.path?.components ?? [.key(key)]
            guard case .key(let keyIn)? = path.first?.step else { throw .pathWithoutKey(field.name) }
            if field.source == nil, !keysIn.insert(keyIn).inserted { throw .duplicateKey(keyIn) }
            var compiledField = FieldShape(
                keyIn: keyIn, keyOut: keyOut, shape: try number(of: field.type, options),
                isRequired: !types.isOptional(field.type) && field.defaultJSON == nil && !field.mayBeAbsent,
                defaultJSON: try defaultJSON(of: field, options))
            compiledField.path = path
            compiledField.type = field.type
            compiledField.mayBeNull = types.isOptional(field.type)
            if let path = field.source?.path { compiledField.whenMissing = "\(path): \(field.type.notation)" }
            compiled.fields.append(compiledField)
        }
        return compiled
    }
}
