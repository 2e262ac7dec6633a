internal import SluiceContract

/// Whether every value of one type is one of another: what a part of a composed binding gives, and what is wanted of
/// it. Both are seen in the form that local clients get (``TypeExpression/localForm(_:)``).
///
/// What says nothing of itself (`JSON`) fits everywhere that it is checked when it comes.
struct TypeFit {
    let definitions: [TypeDefinition]
    private let types: NamedTypes
    private let placed: NamedTypes
    /// Whether values are held to the wanted type when they come: then `JSON` may turn out to fit.
    private let isProvenLater: Bool

    struct Fault: Hashable {
        /// The way to the place, as keys and `[]`.
        var way: String
        var text: String
        var suggestion: Suggestion?
    }

    /// - Parameters:
    ///   - definitions: in their local form.
    ///   - placed: with the places that fields are read from.
    ///   - isProvenLater: whether values are held to the wanted type when they come.
    init(_ definitions: [TypeDefinition], placed: [TypeDefinition], isProvenLater: Bool = true) {
        self.isProvenLater = isProvenLater
        self.definitions = definitions
        self.placed = NamedTypes(placed)
        types = NamedTypes(definitions)
    }

    /// Where values of several bindings meet.
    init(_ types: LocalTypes) { self.init(types.definitions, placed: types.placed) }

    func resolved(_ type: TypeExpression) -> TypeExpression { types.resolved(type) }

    /// What the author of a whole value says, with the places that its fields are read from.
    func meaning(of value: TypeExpression) -> TypeExpression { placed.resolved(value) }

    /// Why a value is none of the wanted type; nil where each one is.
    func fault(of given: TypeExpression, as wanted: TypeExpression) -> Fault? {
        var search = Search()
        let found = firstFault(in: Question(given: given, wanted: wanted), &search)
        guard search.isTooDeep else { return found }
        return Fault(
            way: "", text: "leads through unions of types that are more than \(Search.depthMost) deep in each other")
    }

    /// What follows from a question is put in a list and not on the stack: types lead to each other as far as their
    /// page is long.
    private func firstFault(in question: Question, _ search: inout Search) -> Fault? {
        var open = [Step.question(question)]
        while let step = open.popLast() {
            switch step {
            case .fault(let fault): return fault
            case .question(let question):
                if question.given == question.wanted { continue }
                guard search.seen.insert([question.given, question.wanted]).inserted else { continue }
                open += steps(from: question, &search).reversed()
            }
        }
        return nil
    }

    /// What must hold besides, in its order.
    private func steps(from question: Question, _ search: inout Search) -> [Step] {
        let (given, wanted) = (question.given, question.wanted)
        let (own, other) = (resolved(given), resolved(wanted))
        func failed(_ text: String) -> [Step] { [.fault(question.told ?? Fault(way: question.way, text: text))] }
        func wrong() -> String { "is \(given), and \(wanted) is wanted" }
        switch (own, other) {
        case (_, .scalar(.json)): return []
        case (.scalar(.json), _) where isProvenLater: return []
        case (.optional(let inner), .optional(let wrapped)): return [question.asking(inner, wrapped)]
        case (_, .optional(let wrapped)): return own == .null ? [] : [question.asking(own, wrapped)]
        case (.optional, _): return failed("may be absent, and \(wanted) is wanted")
        case (_, .converted(let from, _)): return [question.asking(own, .scalar(from))]
        case (.union(let members), _): return members.map { question.asking($0, other) }
        case (_, .union(let members)): return members.contains { fits(own, $0, &search) } ? [] : failed(wrong())
        case (.constrained(let inner, let one), .constrained(let wrapped, let another)):
            return one == another ? [question.asking(inner, wrapped)] : failed(wrong())
        case (.constrained(let inner, _), _):
            return [question.asking(inner, other, telling: Fault(way: question.way, text: wrong()))]
        case (.array(let element), .array(let item)): return [question.asking(element, item, "[]")]
        case (.dictionary(let value), .dictionary(let item)): return [question.asking(value, item, ".*")]
        case (.object(let object), .object(let shape)): return steps(from: question, object, shape)
        default: return Self.isKind(own, of: other) ? [] : failed(wrong())
        }
    }

    private func steps(from question: Question, _ given: ObjectType, _ wanted: ObjectType) -> [Step] {
        var steps: [Step] = []
        for field in wanted.fields {
            let place = question.way.isEmpty ? field.name : "\(question.way).\(field.name)"
            guard let path = field.path else {
                let fault = Fault(way: place, text: "is read from a head, which a composed answer has none of")
                return steps + [.fault(question.told ?? fault)]
            }
            switch type(at: path, in: .object(given)) {
            case .failure(let failure):
                let fault = Fault(way: place, text: failure.text, suggestion: failure.suggestion)
                return steps + [.fault(question.told ?? fault)]
            case .success(let found):
                let mayBeAbsent = field.mayBeAbsent || field.defaultJSON != nil
                let own = mayBeAbsent ? present(found) : found
                steps.append(
                    .question(Question(given: own, wanted: field.type, way: place, told: question.told)))
            }
        }
        return steps
    }

    /// Whether it is the one of several alternatives: what does not fit one is asked of the next, so each is a search
    /// of its own, within this one.
    private func fits(_ given: TypeExpression, _ wanted: TypeExpression, _ search: inout Search) -> Bool {
        guard search.depth < Search.depthMost else {
            search.isTooDeep = true
            return false
        }
        search.depth += 1
        defer { search.depth -= 1 }
        return firstFault(in: Question(given: given, wanted: wanted), &search) == nil
    }

    private func present(_ type: TypeExpression) -> TypeExpression {
        if case .optional(let wrapped) = resolved(type) { wrapped } else { type }
    }

    // MARK: - Simple types

    private static func isKind(_ given: TypeExpression, of wanted: TypeExpression) -> Bool {
        switch (given, wanted) {
        case (.literals(let own), .literals(let known)): return Set(own).isSubset(of: known)
        case (.literals, .open), (.open, .open): return true
        case (.literals, .scalar(.string)), (.open, .scalar(.string)): return true
        case (.constant(let json), .scalar(let scalar)):
            if json == "true" || json == "false" { return scalar == .bool }
            return !json.contains { ".eE".contains($0) } && [.int, .int64, .double, .decimal].contains(scalar)
                || [.double, .decimal].contains(scalar)
        case (.scalar(let one), .scalar(let other)): return one == other || wider(one).contains(other)
        default: return false
        }
    }

    /// Scalars that have all values of this one.
    private static func wider(_ scalar: Scalar) -> [Scalar] {
        switch scalar {
        case .int8: [.int16, .int32, .int64, .int, .double, .decimal]
        case .int16: [.int32, .int64, .int, .double, .decimal]
        case .int32: [.int64, .int, .double, .decimal]
        case .int64, .int: [.int64, .int, .double, .decimal]
        case .uint8: [.uint16, .uint32, .uint64, .uint, .int16, .int32, .int64, .int, .double, .decimal]
        case .uint16: [.uint32, .uint64, .uint, .int32, .int64, .int, .double, .decimal]
        case .uint32: [.uint64, .uint, .int64, .int, .double, .decimal]
        case .uint64, .uint: [.uint64, .uint, .double, .decimal]
        case .double: [.decimal]
        case .decimal: [.double]
        case .date(.iso8601): [.date(.local), .string]
        case .date(.local), .uuid, .url, .data, .quoted: [.string]
        case .date(.seconds), .date(.milliseconds): [.double, .decimal]
        case .string, .bool, .json: []
        }
    }

    // MARK: - Parameters

    /// The same for a value that travels as text: each scalar can be a `String`.
    func fault(ofText given: TypeExpression, as wanted: TypeExpression) -> Fault? {
        var own = resolved(given)
        var other = resolved(wanted)
        if case .optional(let wrapped) = other {
            other = resolved(wrapped)
            // What is absent is left out.
            if case .optional(let inner) = own { own = resolved(inner) }
        }
        if case .array(let item) = other {
            // One value is a list of one.
            if case .array(let element) = own { return fault(ofText: element, as: item) }
            return fault(ofText: own, as: item)
        }
        switch own {
        case .array, .constrained(.array, _), .object, .dictionary, .choice:
            return Fault(way: "", text: "is \(given), and no text")
        case .optional: return Fault(way: "", text: "may be absent, and \(wanted) is wanted")
        default: break
        }
        if other == .scalar(.string) { return nil }
        return fault(of: own, as: other)
    }

    // MARK: - Paths

    struct NoValue: Error {
        var text: String
        var suggestion: Suggestion?
    }

    /// The type of what stands at a path; optional where something on the way may be absent.
    func type(at path: FieldPath, in value: TypeExpression) -> Result<TypeExpression, NoValue> {
        var type = value
        var isOptional = false
        for (position, component) in path.components.enumerated() {
            var own = resolved(type)
            if case .optional(let wrapped) = own {
                isOptional = true
                own = resolved(wrapped)
            }
            if case .constrained(let inner, _) = own { own = inner }
            switch (own, component.step) {
            case (.scalar(.json), _): return .success(.scalar(.json))
            case (.object(let object), .key(let key)):
                guard let field = object.fields.first(where: { $0.name == key }) else {
                    return .failure(
                        NoValue(
                            text: "there is no '\(key)'",
                            suggestion: Nearest.suggestion(for: key, among: object.fields.map(\.name))))
                }
                if field.mayBeAbsent { isOptional = true }
                type = field.type
            case (.dictionary(let inner), .key), (.array(let inner), .index), (.array(let inner), .last),
                (.array(let inner), .first):
                isOptional = true
                type = inner
            case (.array(let element), .wildcard):
                let rest = FieldPath(components: Array(path.components[(position + 1)...]))
                return self.type(at: rest, in: element).map { collected($0, by: rest, mayBeAbsent: isOptional) }
            case (_, .key(let key)): return .failure(NoValue(text: "\(type) has no '\(key)'"))
            case (_, _): return .failure(NoValue(text: "\(type) has no elements"))
            }
        }
        return .success(isOptional ? optional(type) : type)
    }

    /// What a `*` finds is one flat array; elements without what `?` stands behind are left out.
    private func collected(_ found: TypeExpression, by rest: FieldPath, mayBeAbsent: Bool) -> TypeExpression {
        let own = rest.components.contains(where: \.isOptional) ? present(found) : found
        let type = rest.hasWildcard ? own : .array(own)
        return mayBeAbsent ? optional(type) : type
    }

    private func optional(_ type: TypeExpression) -> TypeExpression {
        if case .optional = resolved(type) { type } else { .optional(type) }
    }
}

extension TypeFit {
    /// Whether every value of one type is one of another.
    private struct Question {
        var given: TypeExpression
        var wanted: TypeExpression
        var way = ""
        /// What is told in the place of whatever is wrong: a value that has to be constrained is seen as a whole.
        var told: Fault?

        /// What has to hold for this to hold.
        func asking(
            _ given: TypeExpression, _ wanted: TypeExpression, _ step: String = "", telling fault: Fault? = nil
        ) -> Step {
            .question(Question(given: given, wanted: wanted, way: way + step, told: told ?? fault))
        }
    }

    private enum Step {
        case question(Question)
        /// It is told once all that is asked before it has been found to hold.
        case fault(Fault)
    }

    private struct Search {
        /// Alternatives within alternatives, which take the stack.
        static let depthMost = 32

        /// Types may mention themselves: what is being looked at is taken for granted.
        var seen: Set<[TypeExpression]> = []
        var depth = 0
        var isTooDeep = false
    }
}
