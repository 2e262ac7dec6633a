internal import SluiceContract
internal import SluiceHTTP

/// Masks credentials that were sent upstream, in texts where the upstream may have echoed them.
enum EchoMask {
    /// - Returns: nil where the request has no route.
    static func mask(for request: BoundRequest) -> CredentialMask? {
        guard let route = request.route else { return nil }
        let upstream = request.generation.upstreams[route.upstream]
        var mask = request.credential(route)?.reader.credentialMask() ?? CredentialMask()
        // The credential may have changed since the request was sent.
        for secret in request.secrets.shown { secret.insert(into: &mask) }
        // A configured field or parameter with a name typical of credentials counts as one.
        let headers = upstream.settings.headers + route.binding.headers
        for header in headers where SensitiveName.matches(field: header.name) {
            mask.insert(field: Array(header.value.utf8))
        }
        for parameter in route.parameters where parameter.isSensitive {
            for value in parameter.defaults { mask.insert(value) }
        }
        insertForwarded(request.head.fields, route, into: &mask)
        return mask
    }

    private static func insertForwarded(
        _ fields: borrowing HeaderBlock, _ route: Route, into mask: inout CredentialMask
    ) {
        for index in 0..<fields.count {
            switch fields[index].id {
            case .authorization where route.passesAuthorization: mask.insert(field: fields.value(index))
            case .xAPIKey: mask.insert(fields.value(index))
            case .cookie:
                var cookies = CookieIterator(fields.value(index))
                while let cookie = cookies.next() {
                    if cookie.value.count >= CredentialMask.cookieCountMin { mask.insert(cookie.value) }
                }
            default: break
            }
        }
    }

    /// `problem` without the credentials that went upstream, which may have echoed them. Every problem passes here
    /// before it becomes an answer, a trailer, a log line, or a note in the cache.
    static func applied(to problem: Problem, of request: BoundRequest) -> Problem {
        guard problem.kind.mayQuoteUpstream, let mask = mask(for: request), !mask.isEmpty else { return problem }
        return problem.masked(by: mask)
    }
}

extension Problem.Kind {
    /// Whether the problem may quote the upstream; all other problems have only texts of the gateway.
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
    /// Masks every text of the problem that may come from the upstream.
    fileprivate func masked(by mask: CredentialMask) -> Problem {
        var problem = self
        problem.detail = mask.applied(to: detail)
        problem.upstreamCode = upstreamCode.map(mask.applied)
        problem.fields = fields.map { HeaderSetting(name: $0.name, value: mask.applied(to: $0.value)) }
        problem.faults = faults.map { fault in
            var fault = fault
            fault.name = mask.applied(to: fault.name)
            fault.place = fault.place.map(mask.applied)
            fault.found = mask.applied(to: fault.found)
            fault.hint = fault.hint.map(mask.applied)
            return fault
        }
        return problem
    }
}
