internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// May this client ask for it? The host first, then the page that a browser asks for, then the client itself.
    func authorise() -> Step {
        guard request.generation.table.hosts.serves(request.head.authority) else {
            let host = String(decoding: request.head.authority.prefix(100), as: UTF8.self)
            return refused(
                Problem(
                    .hostNotServed,
                    detail: "The host '\(host)' is not served here; add it to 'hosts:' if it should be."))
        }
        guard let route = borrowedRoute else { preconditionFailure("a check without a route") }
        return route { authorise($0) }
    }

    private func authorise(_ route: Route) -> Step {
        var origin = -1
        var fetchSite = -1
        for index in 0..<request.head.fields.count {
            switch request.head.fields[index].id {
            case .origin: origin = index
            case .secFetchSite: fetchSite = index
            default: break
            }
        }
        if origin >= 0 || fetchSite >= 0 || route.crossOrigin != nil {
            if let step = checkOrigin(origin, fetchSite: fetchSite, route) { return step }
        }
        if route.isGuarded, let problem = request.checkGrants(route) {
            return refused(problem)
        }
        return route.isMetered ? .admit : .readParameters
    }
}
