internal import SluiceContract
internal import SluiceJSON

/// The alternatives of a union have to be told apart by their JSON kind, or tried in their order.
extension TypeCheck {
    func checkUnions(_ type: TypeExpression, _ scope: Scope) {
        switch type {
        case .union(let members):
            // A name that only means itself has no alternatives to look at.
            if !types.isEndless { check(union: members, scope) }
            for member in members where !member.hasObject { checkUnions(member, scope) }
        case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
            checkUnions(inner, scope)
        case .scalar, .literals, .open, .constant, .converted, .null, .object, .choice, .named: break
        }
    }

    private func check(union members: [TypeExpression], _ scope: Scope) {
        var objects: [TypeExpression] = []
        var arrays: [TypeExpression] = []
        var takesAnyString: TypeExpression?
        func wrong(_ message: String, _ expected: String) {
            scope.mistake("\(message)", at: .innerType, expected: expected)
        }
        for member in members {
            guard let resolved = types.resolved(member) else { continue }
            switch resolved {
            case .object, .dictionary: objects.append(member)
            case .array, .constrained(.array, _): arrays.append(member)
            case .optional, .union, .choice:
                wrong("'\(member)' has alternatives of its own", "alternatives that are no unions or optionals")
            case .scalar(.json):
                wrong("JSON takes every value, so the other alternatives mean nothing", "JSON alone")
            case .scalar(let scalar):
                if let earlier = takesAnyString, scalar.isText {
                    wrong("'\(member)' is never tried behind '\(earlier)'", "'\(member)' first")
                }
                if scalar == .string { takesAnyString = member }
            case .literals(let words):
                warn(of: words, beside: members, scope)
                if let earlier = takesAnyString {
                    let set = words.joined(separator: " | ")
                    wrong("'\(set)' is never tried behind '\(earlier)'", "'\(set)' first")
                }
            case .open(let words):
                warn(of: words, beside: members, scope)
                let set = words.joined(separator: " | ")
                if let earlier = takesAnyString {
                    wrong("'\(set) | …' is never tried behind '\(earlier)'", "'\(earlier)' alone")
                }
                takesAnyString = .open(words)
            case .constant, .constrained, .converted, .null, .named: break
            }
        }
        tellApart(objects, arrays, scope)
    }

    /// `Int | string` is a number or the text "string", which few APIs have.
    private func warn(of words: [String], beside members: [TypeExpression], _ scope: Scope) {
        guard members.contains(where: { if case .literals = $0 { false } else { $0 != .null } }) else { return }
        for word in words {
            guard let name = Scalar.names.first(where: { $0.name.lowercased() == word.lowercased() })?.name else {
                continue
            }
            scope.warning("'\(word)' is a string here", at: .innerType, suggestion: .didYouMean(name))
        }
    }

    private func tellApart(_ objects: [TypeExpression], _ arrays: [TypeExpression], _ scope: Scope) {
        func names(_ alike: [TypeExpression]) -> String { alike.map { "'\($0)'" }.joined(separator: " and ") }
        if arrays.count > 1 {
            scope.mistake(
                "\(names(arrays)) cannot be told apart", at: .innerType,
                expected: "at most one alternative that is an array")
        }
        guard objects.count > 1 else { return }
        let types = types
        let meanings = objects.map { object -> ObjectType? in
            if case .object(let meaning)? = types.resolved(object) { meaning } else { nil }
        }
        if ObjectTelling(meanings, resolve: { types.resolved($0) }) == nil {
            scope.mistake(
                "\(names(objects)) cannot be told apart", at: .innerType,
                expected: "a field with a value of its own in each, such as type: '\"card\"', or a key that only one of"
                    + " them requires; or names for the values: {union: type, card: Card, bank: Bank}")
        }
    }

    /// Each alternative of a choice by name has to be an object, in which the key is nothing else.
    func check(_ choice: ObjectChoice, _ scope: Scope) {
        for alternative in choice.alternatives {
            check(alternative: alternative.type, choice, scope / alternative.value)
        }
        if let others = choice.others { check(alternative: others, choice, scope / "default") }
    }

    private func check(alternative type: TypeExpression, _ choice: ObjectChoice, _ scope: Scope) {
        check(type, scope)
        switch types.resolved(type) {
        case .object(let object):
            let field = object.fields.first { $0.name == choice.key }
            if let field, types.isOptional(field.type) || field.defaultJSON != nil || field.mayBeAbsent {
                scope.mistake(
                    "'\(choice.key)' may be missing in \(type), and tells what it is", at: .innerType,
                    expected: "'\(choice.key)' without '?' and '='")
            }
        case .dictionary, .scalar(.json), nil: break
        default:
            scope.mistake("'\(type)' is no object", at: .innerType, expected: "an object, a dictionary or JSON")
        }
    }
}
