internal import SluiceContract
internal import SluiceHTTP

/// May this client use the binding, and the listener that it came by?
extension BoundRequest {
    /// Who is it, and is that enough?
    func checkGrants(_ route: Route) -> Problem? {
        let table = generation.table
        if !table.clients.isEmpty, let client = table.clients.identify(&head.fields) {
            clientIndex = Int32(client)
        }
        guard let client = client else { return nil }
        if let grants = client.listenerGrants, !isGranted(grants, client) {
            return refusal(of: client, by: grants, "this listener")
        }
        if let grants = route.binding.grants, !isGranted(grants, client) {
            return refusal(of: client, by: grants, route.binding.name)
        }
        return nil
    }

    private func isGranted(_ grants: Grants, _ client: ClientInfo) -> Bool {
        if let name = clientName, grants.clients.contains(name) { return true }
        if grants.subjects.contains(where: { client.subjects.contains($0) }) { return true }
        guard let credentials = client.credentials else { return false }
        return grants.users.contains(credentials.user) || grants.groups.contains(credentials.group)
            || grants.groups.contains { credentials.groups.contains($0) }
    }

    /// Where a key could help, it is asked for (RFC 9110 §15.5.2, RFC 6750 §3); else no other request will.
    private func refusal(of client: ClientInfo, by grants: Grants, _ what: String) -> Problem {
        if clientName == nil, !grants.clients.isEmpty {
            let hasKey =
                head.fields.firstIndex(of: .authorization) ?? head.fields.firstIndex(of: .xAPIKey)
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
        if let name = clientName {
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
