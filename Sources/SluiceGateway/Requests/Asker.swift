internal import SluiceContract
internal import SluiceHTTP

/// The client of a request, and what the configuration lets it use: the listener that it connected to, the binding, a
/// credential.
struct Asker {
    /// Where the request came from; nil while there is no request.
    var client: ClientInfo?
    /// Position in the ``ClientDirectory``; negative where the client showed no key.
    private(set) var index: Int32 = -1

    /// The name under `clients:` whose key came with the request.
    func name(in clients: ClientDirectory) -> String? {
        index < 0 ? nil : clients[Int(index)].name
    }

    /// The client's name, or its Unix user; nil where only the address is known.
    func name(orUserIn clients: ClientDirectory) -> String? {
        name(in: clients) ?? client?.credentials.map { "uid:\($0.user)" }
    }

    // MARK: - Listener and binding

    /// Checks whether the client may use the binding, and the listener that it connected to.
    /// - Parameter fields: fields that hold a key of the gateway's own are marked.
    mutating func identify(by fields: inout HeaderBlock, _ route: Route, _ clients: ClientDirectory) -> Problem? {
        if !clients.isEmpty, let client = clients.identify(&fields) { index = Int32(client) }
        guard let client else { return nil }
        let name = name(in: clients)
        if let grants = client.listenerGrants, !isGranted(grants, client, name) {
            return refusal(of: client, name, by: grants, "this listener", fields)
        }
        if let grants = route.binding.grants, !isGranted(grants, client, name) {
            return refusal(of: client, name, by: grants, route.binding.name, fields)
        }
        return nil
    }

    private func isGranted(_ grants: Grants, _ client: ClientInfo, _ name: String?) -> Bool {
        if let name, grants.clients.contains(name) { return true }
        if grants.subjects.contains(where: { client.subjects.contains($0) }) { return true }
        guard let credentials = client.credentials else { return false }
        return grants.users.contains(credentials.user) || grants.groups.contains(credentials.group)
            || grants.groups.contains { credentials.groups.contains($0) }
    }

    /// Asks for a key where one could help (RFC 9110 §15.5.2, RFC 6750 §3); otherwise the refusal is final.
    private func refusal(
        of client: ClientInfo, _ name: String?, by grants: Grants, _ what: String, _ fields: borrowing HeaderBlock
    ) -> Problem {
        if name == nil, !grants.clients.isEmpty {
            let hasKey = fields.firstIndex(of: .authorization) ?? fields.firstIndex(of: .xAPIKey) != nil
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
        if let name {
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

    // MARK: - Credential

    /// The credential of this client, where each client has its own.
    func given(_ map: CredentialMap, _ clients: ClientDirectory) -> CredentialMap.Given {
        if let name = name(in: clients), let given = map.clients[name] { return given }
        if let user = client?.credentials?.user, let given = map.users[user] { return given }
        return map.otherwise
    }

    /// Refuses the client where it has no credential for the route.
    func checkCredential(_ route: Route, _ clients: ClientDirectory) -> Problem? {
        guard let map = route.credentials.map, case .refused = given(map, clients) else { return nil }
        let who =
            name(in: clients).map { "Client '\($0)'" } ?? client?.credentials.map { "User \($0.user)" } ?? "This client"
        return Problem(
            .forbidden, detail: "\(who) has no credential for \(route.binding.name); 'credential:' says who has one.")
    }
}
