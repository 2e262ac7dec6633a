internal import SluiceContract

/// What the parts of one binding ask, and the names of values in that and in its own value. No type is asked for, so
/// that it can be told beside whatever else is wrong with a page.
struct PartNamesCheck {
    let binding: Binding
    let parts: [Composition.Part]
    let scope: Scope
    let names: [String]

    init(_ binding: Binding, _ composition: Composition, _ scope: Scope) {
        self.binding = binding
        parts = composition.parts
        self.scope = scope
        names = composition.parts.map(\.name)
    }

    func scope(of part: Composition.Part) -> Scope { scope / "parts" / part.name }

    // MARK: - What is asked

    /// Tells the parts that nothing is bound to.
    func checkTargets(among bindings: [Binding]) {
        for part in parts where part.target(among: bindings) == nil { tellUnbound(part, among: bindings) }
    }

    func tellUnbound(_ part: Composition.Part, among bindings: [Binding]) {
        let known = bindings.filter { $0.name != binding.name }.map(\.name)
        let path = "\(part.method) " + (String(describing: part).split(separator: " ").last ?? "").prefix { $0 != "?" }
        scope(of: part).mistake(
            "nothing is bound to \(path)", at: .value, expected: "a binding of this page",
            suggestion: Nearest.suggestion(for: path, among: known))
    }

    // MARK: - Names

    /// Tells names that stand for nothing.
    func checkNames() {
        for part in parts {
            // An element without a name is told with the types.
            if part.each != nil, part.alias == nil { continue }
            if let each = part.each, !names.contains(each.name) { tellUnknown(list: each, of: part) }
            for reference in part.referencesInText where !isKnown(reference, in: part) {
                tellUnknown(reference, in: part)
            }
            checkBody(of: part)
        }
        checkValue(as: binding.value)
    }

    private func isKnown(_ reference: Composition.Reference, in part: Composition.Part) -> Bool {
        reference.name == part.alias || names.contains(reference.name)
            || binding.parameters.contains { $0.name == reference.name && $0.location != .body }
    }

    /// - Parameter wanted: what a parameter of that name would have to be.
    func tellUnknown(_ reference: Composition.Reference, in part: Composition.Part, wanted: TypeExpression? = nil) {
        let all = names + binding.parameters.map(\.name) + [part.alias].compactMap(\.self)
        let others = all.filter { $0 != part.name }
        scope(of: part).mistake(
            "'\(reference.name)' is no part and no parameter", at: .value,
            expected: others.isEmpty ? "another part, or a parameter of this binding" : others.joined(separator: ", "),
            suggestion: Nearest.suggestion(for: reference.name, among: others)
                ?? wanted.map { .advice("add params: {\(reference.name): \($0)}") })
    }

    func tellUnknown(list each: Composition.Reference, of part: Composition.Part) {
        (scope(of: part) / "each").mistake(
            "'\(each.name)' is no part", at: .value, expected: "a list of another part",
            suggestion: Nearest.suggestion(for: each.name, among: names.filter { $0 != part.name }))
    }

    /// - Returns: whether its name is that of the client's body, of a part or of an element; else that is told.
    @discardableResult
    func checkBody(of part: Composition.Part) -> Bool {
        guard let body = part.body, body.name != Composition.requestName else { return true }
        if names.contains(body.name) || body.name == part.alias { return true }
        (scope(of: part) / "body").mistake(
            "'\(body.name)' is no part", at: .value, expected: "request, or a value of a part",
            suggestion: Nearest.suggestion(for: body.name, among: names + [Composition.requestName]))
        return false
    }

    // MARK: - The value

    /// Tells what the value is taken from where that is no part.
    func checkValue(as value: TypeExpression?) {
        if let parent = binding.parent {
            guard let name = unknownPart(in: parent) else { return }
            return (scope / "parent").mistake(
                "'\(parent)' leads nowhere: there is no '\(name)'", at: .value, expected: "a value of a part",
                suggestion: Nearest.suggestion(for: name, among: names))
        }
        guard case .object(let object)? = value else { return }
        for field in object.fields {
            guard let name = field.path.flatMap({ unknownPart(in: $0) }) else { continue }
            (scope / "value").mistake(
                "'\(field.name)' leads nowhere: there is no '\(name)'", at: .value, expected: "what the parts have",
                suggestion: Nearest.suggestion(for: name, among: names))
        }
    }

    /// The name that a path begins with, where no part is called so.
    private func unknownPart(in path: FieldPath) -> String? {
        guard case .key(let name)? = path.components.first?.step, !names.contains(name) else { return nil }
        return name
    }
}
