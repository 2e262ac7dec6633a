public import SluiceContract

/// Scalars in plain text: path, query, header and cookie parameters.
public struct ScalarText: Sendable {
    private struct Alternative {
        var grammar: ScalarGrammar
        var isNumber: Bool
        /// The closed set, for ``ScalarGrammar/literals``; `Bool` is such a set, too, whose values are not quoted in
        /// JSON.
        var literals: [[UInt8]] = []
        var isQuoted: Bool
        var limit: ValueLimit?
    }

    private var alternatives: [Alternative] = []

    /// Compiles the type of a parameter. The alternatives of a union are tried in order; an optional accepts what its
    /// wrapped type does.
    /// - Throws: ``PlanError/unknownType(_:)``, ``PlanError/circularAlias(_:)``.
    /// - Returns: nil if the type is not a scalar, a set of strings, or a union of those.
    public init?(_ type: TypeExpression, types: NamedTypes) throws(PlanError) {
        var names: Set<String> = []
        guard try add(type, types, &names) else { return nil }
    }

    /// As above, with types that nothing else uses.
    public init?(_ type: TypeExpression, types: [TypeDefinition] = []) throws(PlanError) {
        try self.init(type, types: NamedTypes(types))
    }

    private mutating func add(
        _ type: TypeExpression, _ types: NamedTypes, _ names: inout Set<String>
    ) throws(PlanError) -> Bool {
        switch type {
        case .array, .dictionary, .object, .choice, .converted: return false
        case .null: return true
        case .optional(let wrapped): return try add(wrapped, types, &names)
        case .union(let members):
            for member in members { guard try add(member, types, &names) else { return false } }
            return true
        case .named(let name):
            let meaning = types.resolved(type)
            if case .named(let last) = meaning {
                throw types.contains(last) ? .circularAlias(last) : .unknownType(last)
            }
            guard names.insert(name).inserted else { throw .circularAlias(name) }
            defer { names.remove(name) }
            return try add(meaning, types, &names)
        case .literals(let literals):
            add(literals, isQuoted: true)
            return true
        case .open:
            alternatives.append(Alternative(grammar: .anyString, isNumber: false, isQuoted: true))
            return true
        case .constant(let json):
            add([json], isQuoted: false)
            return true
        case .constrained(.array, _): return false
        case .scalar(.bool):
            add(["true", "false"], isQuoted: false)
            return true
        case .scalar(.json):
            alternatives.append(Alternative(grammar: .anyString, isNumber: false, isQuoted: true))
            return true
        case .scalar, .constrained:
            let shape = try Shape(type)
            for rule in shape.numbers {
                alternatives.append(
                    Alternative(
                        grammar: rule.grammar, isNumber: true, isQuoted: false, limit: try Self.limit(rule)))
            }
            for rule in shape.strings {
                alternatives.append(
                    Alternative(
                        grammar: rule.grammar, isNumber: false, isQuoted: true, limit: try Self.limit(rule)))
            }
            return true
        }
    }

    private static func limit(_ rule: ScalarRule) throws(PlanError) -> ValueLimit? {
        guard let constraint = rule.constraint else { return nil }
        return try ValueLimit(constraint)
    }

    private mutating func add(_ literals: [String], isQuoted: Bool) {
        alternatives.append(
            Alternative(
                grammar: .literals, isNumber: false, literals: literals.map { Array($0.utf8) }, isQuoted: isQuoted))
    }

    /// Whether the bytes are UTF-8 text of this type.
    public func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        alternative(for: bytes) != nil
    }

    /// Appends the text as JSON: an `Int` stays a number, a `String` is quoted.
    /// - Returns: whether the text is of this type; if not, nothing is appended.
    public func appendJSON(of bytes: UnsafeRawBufferPointer, to json: inout [UInt8]) -> Bool {
        guard let alternative = alternative(for: bytes) else { return false }
        if alternative.isQuoted {
            json.append(contentsOf: JSONText.quote(String(decoding: bytes, as: UTF8.self)).utf8)
        } else {
            json.append(contentsOf: bytes)
        }
        return true
    }

    /// The type that the author may want to declare instead, if these bytes are nearly of this type.
    public func hint(for bytes: UnsafeRawBufferPointer) -> String? {
        let text = bytes.assumingMemoryBound(to: UInt8.self)
        return alternatives.lazy.compactMap { $0.grammar.hint(for: text) }.first
    }

    private func alternative(for bytes: UnsafeRawBufferPointer) -> Alternative? {
        let text = bytes.assumingMemoryBound(to: UInt8.self)
        var utf8 = UTF8Check()
        if let base = text.baseAddress {
            guard utf8.advance(base, text.count, .preferred) == nil, utf8.isComplete else { return nil }
        }
        return alternatives.first { alternative in
            if alternative.grammar == .literals {
                return alternative.literals.contains { $0.elementsEqual(text) }
            }
            if alternative.isNumber, !NumberText.isNumber(text) { return false }
            return alternative.grammar.accepts(text)
                && alternative.limit?.accepts(text, isNumber: alternative.isNumber) ?? true
        }
    }

    /// Whether the bytes are text of this type; a type that is not a scalar accepts nothing.
    public static func check(
        _ bytes: UnsafeRawBufferPointer, as type: TypeExpression, types: [TypeDefinition] = []
    ) -> Bool {
        guard let text = try? ScalarText(type, types: types) else { return false }
        return text.accepts(bytes)
    }
}

extension Shape {
    /// The shape of a single scalar type.
    fileprivate init(_ scalar: TypeExpression) throws(PlanError) {
        var compiler = ShapeCompiler(NamedTypes([]))
        let options = ShapeCompiler.Options(unknown: .pass, keys: .verbatim, direction: .fromUpstream)
        let number = try compiler.shape(of: scalar, options)
        self = compiler.shapes[number]
    }
}
