internal import SluiceContract
internal import SluiceJSON

/// Whether a default, a fixed value or an example is of its type.
struct DefaultCheck {
    let types: TypeMeanings
    /// As findings call it.
    var what = "the default"
    /// How the binding renames keys; nil where that is not known.
    var keys: KeyStyle?
    /// What happens to undeclared keys, where the type itself does not say.
    var unknown = UnknownKeys.pass

    /// - Returns: the value as clients see it, with the defaults of what it leaves out; nil for one of another type.
    @discardableResult func check(_ json: String, _ type: TypeExpression, _ scope: Scope) -> String? {
        guard let node = JSONNode(json) else {
            scope.mistake("'\(Shown.line(of: json))' is no JSON", at: .value, expected: "a value of type \(type)")
            return nil
        }
        // Without a meaning for each name there is nothing to compare with.
        if types.isEndless { return json }
        let form = DeclaredValue(
            types.named, keys: keys ?? .verbatim, direction: .fromUpstream, unknown: unknown,
            names: keys == nil ? .either : .local)
        do {
            return try form.json(of: node, type)
        } catch {
            let (expected, suggestion) = advice(error, type)
            Scope(path: scope.path + error.way.map(\.segment), log: scope.log).mistake(
                "\(what) is not of its type: \(error.found)", at: .value, expected: expected, suggestion: suggestion)
            return nil
        }
    }

    private func advice(_ fault: DeclaredValue.Fault, _ type: TypeExpression) -> (String, Suggestion?) {
        switch fault.reason {
        case .isOther(let node, let type): ("a value of type \(type)", Self.suggestion(node, type))
        case .isNotUnique(let type): ("a value of type \(type)", nil)
        case .lacks(_, let object): ("\(shown(object))", nil)
        case .hasUnknown(let key, let object):
            (
                "\(shown(object))",
                Nearest.suggestion(for: key, among: object.fields.map(\.name))
            )
        case .hasTwice(_, let object): ("\(shown(object))", nil)
        case .isInconvertible, .isEndless: ("a value of type \(type)", nil)
        }
    }

    /// With the keys that the value has to have.
    private func shown(_ object: ObjectType) -> TypeExpression {
        let type = TypeExpression.object(object)
        return keys.map { type.localForm($0) } ?? type
    }

    private static func suggestion(_ node: JSONNode, _ type: TypeExpression) -> Suggestion? {
        switch (type, node) {
        case (.scalar(.bool), .string("yes")), (.scalar(.bool), .string("on")): .didYouMean("true")
        case (.scalar(.bool), .string("no")), (.scalar(.bool), .string("off")): .didYouMean("false")
        case (.literals(let strings), .string(let text)): Nearest.suggestion(for: text, among: strings)
        default: nil
        }
    }
}

extension DeclaredValue.Fault.Step {
    fileprivate var segment: ConfigurationPath.Segment {
        switch self {
        case .key(let key): .key(key)
        case .index(let index): .index(index)
        }
    }
}
