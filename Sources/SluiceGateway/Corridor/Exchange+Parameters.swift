internal import SluiceContract

extension Exchange {
    /// Are the parameters as declared? Every fault of the request is found in one go.
    func readParameters() -> Step {
        guard let route = borrowedRoute else { preconditionFailure("parameters without a route") }
        return route { route in
            let faults = request.readParameters(route)
            guard faults.isEmpty else { return refused(.badParameters(faults, of: route.binding.name)) }
            if route.editsFields { request.editFields(route, &loop.random) }
            request.writeTarget(route)
            return .enter
        }
    }
}
