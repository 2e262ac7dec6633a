internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// `problem` without the credentials that went to the upstream, which may have echoed them. Every problem comes by
    /// here before anything is made of it: an answer, a trailer, a line of a log, a note in the cache.
    func withoutCredentials(_ problem: Problem) -> Problem {
        guard problem.source == .upstream || problem.source == .network, let route else { return problem }
        let upstream = generation.upstreams[route.upstream]
        var mask = upstream.token.credentialMask()
        // What the page sends as a field or a parameter under a name that sounds like a credential's is one.
        for header in upstream.settings.headers + route.binding.headers where SensitiveName.matches(header.name) {
            mask.insert(header.value.utf8)
        }
        for parameter in route.parameters where parameter.isFixed && SensitiveName.matches(parameter.name) {
            for value in parameter.defaults { mask.insert(value) }
        }
        if route.passesAuthorization {
            for index in 0..<request.fields.count where request.fields[index].id == .authorization {
                // RFC 9110 §11.4: a scheme, then the credentials.
                let words = request.fields.value(index).split(separator: UInt8(ascii: " "), maxSplits: 1)
                if let credentials = words.last { mask.insert(credentials) }
            }
        }
        if mask.isEmpty { return problem }
        return problem.masked(by: mask)
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
