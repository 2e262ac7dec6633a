internal import SluiceContract

extension Problem {
    /// The problem of parameters that are wrong, missing or not declared.
    /// - Parameter target: what was requested, such as the name of a binding.
    static func badParameters(_ faults: [Fault], of target: String) -> Problem {
        var names = faults.map { "'\($0.name)'" }
        let last = names.popLast() ?? ""
        var problem = Problem(
            .badParameters,
            detail: names.isEmpty
                ? "Parameter \(last) of \(target) is not as declared."
                : "Parameters \(names.joined(separator: ", ")) and \(last) of \(target) are not as declared.")
        problem.faults = faults
        return problem
    }
}
