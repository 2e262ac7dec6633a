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
        if route.isGuarded, let problem = checkGrants(route) { return refused(problem) }
        return route.isMetered ? .admit : .readParameters
    }

    /// Who is it, and is that enough?
    private func checkGrants(_ route: Route) -> Problem? {
        let table = request.generation.table
        if !table.clients.isEmpty, let client = table.clients.identify(&request.head.fields) {
            request.clientIndex = Int32(client)
        }
        guard let client = request.client else { return nil }
        if let grants = client.listenerGrants, !isGranted(grants, client) {
            return refusal(of: client, by: grants, "this listener")
        }
        if let grants = route.binding.grants, !isGranted(grants, client) {
            return refusal(of: client, by: grants, route.binding.name)
        }
        return nil
    }

    private func isGranted(_ grants: Grants, _ client: ClientInfo) -> Bool {
        if let name = request.clientName, grants.clients.contains(name) { return true }
        if grants.subjects.contains(where: { client.subjects.contains($0) }) { return true }
        guard let credentials = client.credentials else { return false }
        return grants.users.contains(credentials.user) || grants.groups.contains(credentials.group)
            || grants.groups.contains { credentials.groups.contains($0) }
    }

    /// Where a key could help, it is asked for (RFC 9110 §15.5.2, RFC 6750 §3); else no other request will.
    private func refusal(of client: ClientInfo, by grants: Grants, _ what: String) -> Problem {
        if request.clientName == nil, !grants.clients.isEmpty {
            let hasKey =
                request.head.fields.firstIndex(of: .authorization) ?? request.head.fields.firstIndex(of: .xAPIKey)
                != nil
            var problem = Problem(
                .unauthenticated,
                detail: hasKey
                    ? "The key is not known here; 'sluice key' makes one for 'clients:'."
                    : "A key is needed: send it as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.")
            problem.fields = [
                HeaderSetting(
                    name: "WWW-Authenticate",
                    value: "Bearer realm=\"sluice\"" + (hasKey ? ", error=\"invalid_token\"" : ""))
            ]
            return problem
        }
        let who: String
        if let name = request.clientName {
            who = "Client '\(name)'"
        } else if let credentials = client.credentials {
            who = "User \(credentials.user)"
        } else if let subject = client.subjects.first {
            who = "The certificate of '\(subject)'"
        } else if !grants.subjects.isEmpty {
            who = "A client without a certificate"
        } else {
            who = "A client without a Unix socket"
        }
        return Problem(.forbidden, detail: "\(who) may not use \(what); 'allow:' says who may.")
    }
}
