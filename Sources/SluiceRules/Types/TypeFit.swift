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
        let question = Question(given: given, wanted: wanted)
        return firstFault(in: .question(question), refuted: refuted(from: question))
    }

    /// The same for an object field by field: one that is wrong says nothing of the next.
    func faults(of given: TypeExpression, as wanted: TypeExpression) -> [Fault] {
        guard case (.object, .object) = (resolved(given), resolved(wanted)) else {
            return fault(of: given, as: wanted).map { [$0] } ?? []
        }
        let question = Question(given: given, wanted: wanted)
        let refuted = refuted(from: question)
        return steps(from: question).compactMap { firstFault(in: $0, refuted: refuted) }
    }

    /// All pairs that do not fit, of those that a question leads to.
    ///
    /// Types may mention themselves: a pair fits unless something speaks against it, and that is carried back to the
    /// pairs that ask for it. So what was found out for one alternative is true for the next one.
    ///
    /// Complexity: linear in the pairs and what follows from each. They are put in lists and not on the stack: types
    /// lead to each other as far as their page is long.
    private func refuted(from first: Question) -> Set<Pair> {
        var open = [first.pair]
        var seen: Set<Pair> = [first.pair]
        var askedBy: [Pair: [Pair]] = [:]
        var alternativesLeft: [Pair: Int] = [:]
        var failed: [Pair] = []
        while let pair = open.popLast() {
            var asked: [Pair] = []
            for step in steps(from: Question(given: pair.given, wanted: pair.wanted)) {
                switch step {
                case .fault: failed.append(pair)
                case .question(let question): asked.append(question.pair)
                case .alternatives(let pairs, _):
                    alternativesLeft[pair] = pairs.count
                    asked += pairs
                }
            }
            for other in asked {
                askedBy[other, default: []].append(pair)
                if seen.insert(other).inserted { open.append(other) }
            }
        }
        var refuted: Set<Pair> = []
        while let pair = failed.popLast() {
            guard refuted.insert(pair).inserted else { continue }
            for other in askedBy[pair] ?? [] {
                guard let left = alternativesLeft[other] else {
                    failed.append(other)
                    continue
                }
                alternativesLeft[other] = left - 1
                if left == 1 { failed.append(other) }
            }
        }
        return refuted
    }

    /// The first reason in the order of the fields.
    private func firstFault(in step: Step, refuted: Set<Pair>) -> Fault? {
        var open = [step]
        var seen: Set<Pair> = []
        while let step = open.popLast() {
            switch step {
            case .fault(let fault): return fault
            case .alternatives(let pairs, let question):
                if pairs.allSatisfy(refuted.contains) { return question.fault }
            case .question(let question):
                guard refuted.contains(question.pair), seen.insert(question.pair).inserted else { continue }
                open += steps(from: question).reversed()
            }
        }
        return nil
    }

    /// What must hold besides, in its order.
    private func steps(from question: Question) -> [Step] {
        let (given, wanted) = (question.given, question.wanted)
        if given == wanted { return [] }
        let (own, other) = (resolved(given), resolved(wanted))
        func wrong() -> [Step] { [.fault(question.fault)] }
        switch (own, other) {
        case (_, .scalar(.json)): return []
        case (.scalar(.json), _) where isProvenLater: return []
        case (.optional(let inner), .optional(let wrapped)): return [question.asking(inner, wrapped)]
        case (_, .optional(let wrapped)): return own == .null ? [] : [question.asking(own, wrapped)]
        case (.optional, _):
            let fault = Fault(way: question.way, text: "may be absent, and \(wanted) is wanted")
            return [.fault(question.told ?? fault)]
        case (_, .converted(let from, _)): return [question.asking(own, .scalar(from))]
        case (.union(let members), _): return members.map { question.asking($0, other) }
        case (_, .union(let members)) where !members.isEmpty:
            return [.alternatives(members.map { Pair(given: given, wanted: $0) }, of: question)]
        case (.constrained(let inner, let one), .constrained(let wrapped, let another)):
            return one == another ? [question.asking(inner, wrapped)] : wrong()
        case (.constrained(let inner, _), _):
            return [question.asking(inner, other, telling: question.fault)]
        case (.array(let element), .array(let item)): return [question.asking(element, item, "[]")]
        case (.dictionary(let value), .dictionary(let item)): return [question.asking(value, item, ".*")]
        case (.object(let object), .object(let shape)): return steps(from: question, object, shape)
        default: return Self.isKind(own, of: other) ? [] : wrong()
        }
    }

    private func steps(from question: Question, _ given: ObjectType, _ wanted: ObjectType) -> [Step] {
        var steps: [Step] = []
        for field in wanted.fields {
            let place = question.way.isEmpty ? field.name : "\(question.way).\(field.name)"
            guard let path = field.path else {
                let fault = Fault(way: place, text: "is read from a head, which a composed answer has none of")
                steps.append(.fault(question.told ?? fault))
                continue
            }
            switch type(at: path, in: .object(given)) {
            case .failure(let failure):
                let text = "leads nowhere: \(failure.text)"
                let fault = Fault(way: place, text: text, suggestion: failure.suggestion)
                steps.append(.fault(question.told ?? fault))
            case .success(let found):
                let mayBeAbsent = field.mayBeAbsent || field.defaultJSON != nil
                let own = mayBeAbsent ? present(found) : found
                steps.append(
                    .question(Question(given: own, wanted: field.type, way: place, told: question.told)))
            }
        }
        return steps
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

        var pair: Pair { Pair(given: given, wanted: wanted) }

        /// That it does not hold.
        var fault: Fault { told ?? Fault(way: way, text: "is \(given), and \(wanted) is wanted") }

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
        /// One of them has to hold, for the question to hold.
        case alternatives([Pair], of: Question)
    }

    private struct Pair: Hashable {
        var given: TypeExpression
        var wanted: TypeExpression
    }
}
