internal import SluiceContract

/// Placeholders and rests of both paths of a binding.
struct PlaceholderCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard draft.paths == .known else { return }
        let names = draft.binding.parameters.map(\.name)
        for name in draft.binding.path.placeholders where !names.contains(name) && !isDeclared(name) {
            scope.mistake(
                "placeholder '{\(name)}' has no parameter", expected: "its type under 'params:'",
                suggestion: Nearest.suggestion(for: name, among: names) ?? .advice("add params: {\(name): String}"))
        }
        for name in draft.binding.upstreamPath.placeholders { checkFilled(name, names) }
        for parameter in draft.binding.parameters where parameter.location == .path && !isSent(parameter) {
            scope.warning(
                "parameter '\(parameter.name)' goes nowhere",
                suggestion: .advice("use {\(parameter.name)} in the path of 'to:'"))
        }
        if draft.binding.path.hasRest != draft.binding.upstreamPath.hasRest {
            let (with, without) =
                draft.binding.path.hasRest
                ? ("the local path", "the upstream's") : ("the upstream's path", "the local one")
            (scope / "to").mistake(
                "\(with) ends in '**' and \(without) does not", at: .value, expected: "both or none of them with '**'")
        }
    }

    /// A placeholder of the upstream's path.
    private func checkFilled(_ name: String, _ names: [String]) {
        var target: Scope { scope / "to" }
        guard let parameter = draft.binding.parameters.first(where: { $0.name == name || $0.upstreamName == name })
        else {
            // One that the local path has too is told there.
            if isDeclared(name) || draft.binding.path.placeholders.contains(name) { return }
            target.mistake(
                "no parameter fills the placeholder '{\(name)}'", at: .value, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names + draft.binding.path.placeholders)
                    ?? .advice("add params: {\(name): String}"))
            return
        }
        // What comes in the path is looked at where it is declared.
        if parameter.location == .path { return }
        if parameter.defaultJSON == nil, types.isOptional(parameter.type) {
            target.mistake(
                "parameter '\(name)' may be absent, and the path needs it", at: .value,
                expected: "a type without '?', or a default")
        } else if !types.isScalar(parameter.type), !types.isOptional(parameter.type) {
            target.mistake(
                "a value of type \(parameter.type) cannot stand in a path", at: .value,
                expected: "a scalar or a set of strings")
        }
    }

    private func isSent(_ parameter: Parameter) -> Bool {
        if draft.binding.graphQL != nil { return true }
        let names = draft.binding.upstreamPath.placeholders
        return names.contains(parameter.name) || names.contains(parameter.upstreamName ?? parameter.name)
    }
}
