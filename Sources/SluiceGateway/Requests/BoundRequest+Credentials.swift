internal import SluiceContract
internal import SluiceHTTP

extension BoundRequest {
    /// What the request shows to the upstream in the place of its client.
    func credential(_ route: Route) -> CredentialRuntime? {
        let position = route.credentials.position
        if position >= 0 { return generation.credentials[position] }
        guard let map = route.credentials.map, case .one(let position) = given(map) else { return nil }
        return generation.credentials[position]
    }

    /// Who asks, as far as that is known; nil for an address.
    var asker: String? { clientName ?? client?.credentials.map { "uid:\($0.user)" } }

    private func given(_ map: CredentialMap) -> CredentialMap.Given {
        if let name = clientName, let given = map.clients[name] { return given }
        if let user = client?.credentials?.user, let given = map.users[user] { return given }
        return map.otherwise
    }

    /// Whether there is a credential for this client, where each has one of its own.
    func checkCredential(_ route: Route) -> Problem? {
        guard let map = route.credentials.map, case .refused = given(map) else { return nil }
        let who = clientName.map { "Client '\($0)'" } ?? client?.credentials.map { "User \($0.user)" } ?? "This client"
        return Problem(
            .forbidden, detail: "\(who) has no credential for \(route.binding.name); 'credential:' says who has one.")
    }

    /// Whether credentials of the client's own go upstream.
    func forwardsCredentials(_ route: Route) -> Bool {
        for index in 0..<head.fields.count {
            switch head.fields[index].id {
            case .authorization: if route.passesAuthorization, !head.fields.isMarked(index) { return true }
            case .xAPIKey: if !head.fields.isMarked(index) { return true }
            // Where some are parameters, all of them are written anew, and the field is marked.
            case .cookie: return true
            default: break
            }
        }
        return false
    }

    /// `problem` without the credentials that went to the upstream, which may have echoed them. Every problem comes by
    /// here before anything is made of it: an answer, a trailer, a line of a log, a note in the cache.
    func withoutCredentials(_ problem: Problem) -> Problem {
        guard problem.kind.mayQuoteUpstream, let mask = echoMask, !mask.isEmpty else { return problem }
        return problem.masked(by: mask)
    }

    /// Takes credentials that went to the upstream out of what it may have echoed; nil where no binding was found.
    var echoMask: CredentialMask? {
        guard let route else { return nil }
        let upstream = generation.upstreams[route.upstream]
        var mask = credential(route)?.reader.credentialMask() ?? CredentialMask()
        // It may have another one by now than the request was sent with.
        for secret in shownSecrets { secret.insert(into: &mask) }
        // What the page sends as a field or a parameter under a name that sounds like a credential's is one.
        let headers = upstream.settings.headers + route.binding.headers
        for header in headers where SensitiveName.matches(field: header.name) {
            mask.insert(field: Array(header.value.utf8))
        }
        for parameter in route.parameters where parameter.isSensitive {
            for value in parameter.defaults { mask.insert(value) }
        }
        for index in 0..<head.fields.count {
            switch head.fields[index].id {
            case .authorization where route.passesAuthorization: mask.insert(field: head.fields.value(index))
            case .xAPIKey: mask.insert(head.fields.value(index))
            case .cookie:
                var cookies = CookieIterator(head.fields.value(index))
                while let cookie = cookies.next() {
                    if cookie.value.count >= CredentialMask.cookieCountMin { mask.insert(cookie.value) }
                }
            default: break
            }
        }
        return mask
    }
}

extension Problem.Kind {
    /// Whether its texts may be the upstream's; those of all others are the gateway's own.
    fileprivate var mayQuoteUpstream: Bool {
        switch self {
        case .upstreamError, .reportedError, .upstreamProtocol, .upstreamTruncated, .typeMismatch, .missingValue,
            .upstreamTooLarge,
            .tlsFailure, .connectionReset:
            true
        default: false
        }
    }
}

extension Problem {
    /// Every text in it that can be an upstream's, masked.
    fileprivate func masked(by mask: CredentialMask) -> Problem {
        var problem = self
        problem.detail = mask.applied(to: detail)
        problem.upstreamCode = upstreamCode.map(mask.applied)
        problem.fields = fields.map { HeaderSetting(name: $0.name, value: mask.applied(to: $0.value)) }
        problem.faults = faults.map { fault in
            var fault = fault
            fault.name = mask.applied(to: fault.name)
            fault.found = mask.applied(to: fault.found)
            fault.hint = fault.hint.map(mask.applied)
            return fault
        }
        return problem
    }
}
