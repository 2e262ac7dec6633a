internal import SluiceContract
internal import SluiceJSON

/// Whether a default, or a fixed value, is of its type.
struct DefaultCheck {
    let types: TypeMeanings
    /// As findings call it.
    var what = "the default"

    private struct Fault: Error {
        var way: [ConfigurationPath.Segment]
        var found: String
        var expected: String
        var suggestion: Suggestion?
    }

    /// - Returns: whether it is.
    @discardableResult func check(_ json: String, _ type: TypeExpression, _ scope: Scope) -> Bool {
        guard let node = JSONNode(json) else {
            scope.mistake("'\(Shown.line(of: json))' is no JSON", at: .value, expected: "a value of type \(type)")
            return false
        }
        // Without a meaning for each name there is nothing to compare with.
        guard !types.isEndless, let fault = fault(node, type, []) else { return true }
        Scope(path: scope.path + fault.way, log: scope.log).mistake(
            "\(what) is not of its type: \(fault.found)", at: .value, expected: fault.expected,
            suggestion: fault.suggestion)
        return false
    }

    private func fault(_ node: JSONNode, _ type: TypeExpression, _ way: [ConfigurationPath.Segment]) -> Fault? {
        func wrong(_ suggestion: Suggestion? = nil) -> Fault {
            Fault(way: way, found: node.kind, expected: "a value of type \(type)", suggestion: suggestion)
        }
        switch type {
        case .scalar(let scalar): return Self.takes(scalar, node) ? nil : wrong(Self.suggestion(node, scalar))
        case .literals(let strings):
            guard case .string(let text) = node else { return wrong() }
            return strings.contains(text) ? nil : wrong(Nearest.suggestion(for: text, among: strings))
        case .open:
            if case .string = node { return nil }
            return wrong()
        case .constant(let json): return node.plainText == json ? nil : wrong()
        case .converted(_, let to): return Self.takes(to, node) ? nil : wrong(Self.suggestion(node, to))
        case .constrained(let inner, let constraint):
            if let fault = fault(node, inner, way) { return fault }
            return Self.takes(constraint, of: type, node) ? nil : wrong()
        case .array(let element):
            guard case .array(let items) = node else { return wrong() }
            return items.enumerated().lazy.compactMap { fault($1, element, way + [.index($0)]) }.first
        case .dictionary(let value):
            guard case .object(let members) = node else { return wrong() }
            return members.lazy.compactMap { fault($0.value, value, way + [.key($0.key)]) }.first
        case .optional(let wrapped):
            if case .null = node { return nil }
            return fault(node, wrapped, way)
        case .null:
            if case .null = node { return nil }
            return wrong()
        case .union(let members):
            return members.contains { fault(node, $0, way) == nil } ? nil : wrong()
        case .object(let object): return fault(node, object, way)
        case .choice(let choice):
            guard case .object(let members) = node else { return wrong() }
            let value = members.first { $0.key == choice.key }?.value.text
            guard let type = choice.alternatives.first(where: { $0.value == value })?.type ?? choice.others else {
                return wrong()
            }
            return fault(node, type, way)
        case .named:
            // A name that means nothing has its own mistake.
            return types.resolved(type).flatMap { fault(node, $0, way) }
        }
    }

    private func fault(_ node: JSONNode, _ object: ObjectType, _ way: [ConfigurationPath.Segment]) -> Fault? {
        guard case .object(let members) = node else {
            return Fault(way: way, found: node.kind, expected: "a value of type \(TypeExpression.object(object))")
        }
        for field in object.fields where field.defaultJSON == nil && !members.contains(where: { $0.key == field.name })
        {
            if field.mayBeAbsent { continue }
            if case .optional = field.type { continue }
            return Fault(way: way, found: "it lacks '\(field.name)'", expected: "\(TypeExpression.object(object))")
        }
        return members.lazy.compactMap { member in
            object.fields.first { $0.name == member.key }.flatMap {
                fault(member.value, $0.type, way + [.key(member.key)])
            }
        }.first
    }

    private static func takes(_ scalar: Scalar, _ node: JSONNode) -> Bool {
        switch node {
        case .string(let text): scalar == .json || scalar.isText && scalar.takes(text)
        case .bool(let text), .number(let text): scalar == .json || !scalar.isText && scalar.takes(text)
        case .null, .array, .object: scalar == .json
        }
    }

    /// The value is of the type that is constrained.
    private static func takes(_ constraint: Constraint, of type: TypeExpression, _ node: JSONNode) -> Bool {
        switch node {
        case .array(let items):
            let texts = items.map(\.identity)
            return constraint.range?.contains(items.count) ?? true
                && (!constraint.isUnique || Set(texts).count == texts.count)
        case .string(var text), .number(var text):
            return text.withUTF8 { ScalarText.check(UnsafeRawBufferPointer($0), as: type) }
        case .null, .bool, .object: return true
        }
    }

    private static func suggestion(_ node: JSONNode, _ scalar: Scalar) -> Suggestion? {
        switch (scalar, node) {
        case (.bool, .string("yes")), (.bool, .string("on")): .didYouMean("true")
        case (.bool, .string("no")), (.bool, .string("off")): .didYouMean("false")
        default: nil
        }
    }
}
