internal import SluiceContract

extension BindingCheck {
    /// Placeholders and rests of both paths.
    func checkPaths() {
        guard hasPaths else { return }
        let names = binding.parameters.map(\.name)
        for name in binding.path.placeholders where !names.contains(name) && !isDeclared(name) {
            scope.mistake(
                "placeholder '{\(name)}' has no parameter", expected: "its type under 'params:'",
                suggestion: Nearest.suggestion(for: name, among: names) ?? .advice("add params: {\(name): String}"))
        }
        for name in binding.upstreamPath.placeholders { checkFilled(name, names) }
        for parameter in binding.parameters where parameter.location == .path && !isSent(parameter) {
            scope.warning(
                "parameter '\(parameter.name)' goes nowhere",
                suggestion: .advice("use {\(parameter.name)} in the path of 'to:'"))
        }
        if binding.path.hasRest != binding.upstreamPath.hasRest {
            let (with, without) =
                binding.path.hasRest ? ("the local path", "the upstream's") : ("the upstream's path", "the local one")
            (scope / "to").mistake(
                "\(with) ends in '**' and \(without) does not", at: .value, expected: "both or none of them with '**'")
        }
    }

    /// A placeholder of the upstream's path.
    private func checkFilled(_ name: String, _ names: [String]) {
        var target: Scope { scope / "to" }
        guard let parameter = binding.parameters.first(where: { $0.name == name || $0.upstreamName == name }) else {
            // One that the local path has too is told there.
            if isDeclared(name) || binding.path.placeholders.contains(name) { return }
            target.mistake(
                "no parameter fills the placeholder '{\(name)}'", at: .value, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names + binding.path.placeholders)
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

    /// Whether `params:` names it, be it with a type that could not be read.
    func isDeclared(_ name: String) -> Bool {
        declaration.parameters.contains { $0.name == name }
    }

    private func isSent(_ parameter: Parameter) -> Bool {
        if binding.graphQL != nil { return true }
        let names = binding.upstreamPath.placeholders
        return names.contains(parameter.name) || names.contains(parameter.upstreamName ?? parameter.name)
    }
}
