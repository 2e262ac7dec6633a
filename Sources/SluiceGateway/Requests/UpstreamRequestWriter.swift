internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2
internal import SluiceSigning

/// Writes the head of an upstream request: the client's fields without those that concern only the gateway, and the
/// fields that the gateway adds.
enum UpstreamRequestWriter {
    /// For HTTP/1.1.
    static func write(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        into out: inout Outbox
    ) {
        let forwarded = request.forwardedRule(route)
        let client = ForwardedClient(request, forwarded)
        writeLine(request, route, into: &out)
        writeHost(client, endpoint, into: &out)
        markOwn(request, route, forwarded)
        if request.isRedirected || request.cacheRole != .none { writeConditions(request) }
        HTTP1Writer.fields(request.head.fields, into: &out)
        writeAdded(request, route, upstream, endpoint, client, into: &out)
        if request.isUpgrading {
            out.append("Upgrade: websocket\r\nConnection: Upgrade\r\n")
        } else if request.head.acceptsTrailers, !route.isTyped {
            out.append("TE: trailers\r\nConnection: TE\r\n")
        }
        switch request.body.outgoing {
        case .none: break
        case .length(let length): HTTP1Writer.field(.contentLength, decimal: length, into: &out)
        case .chunked: out.append("Transfer-Encoding: chunked\r\n")
        }
        HTTP1Writer.endOfHead(into: &out)
    }

    /// For HTTP/2: writes into the field list of a session, which copies it when the request is submitted.
    /// - Parameter lines: memory for lines in the form of HTTP/1.1, which are then split in place.
    /// - Returns: the offset in `lines` at which the gateway's own fields begin.
    @discardableResult
    static func write(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        to session: HTTP2ClientSession, _ lines: inout Outbox
    ) -> Int {
        let forwarded = request.forwardedRule(route)
        let client = ForwardedClient(request, forwarded)
        markOwn(request, route, forwarded)
        if request.isRedirected || request.cacheRole != .none { writeConditions(request) }
        lines.removeAll()
        writeMethod(request, route, into: &lines)
        let methodCount = lines.count
        writeAuthority(client, endpoint, into: &lines)
        let authorityCount = lines.count
        writeAdded(request, route, upstream, endpoint, client, into: &lines)
        let written = lines.firstRun
        let authority = UnsafeRawBufferPointer(rebasing: written[methodCount..<authorityCount])
        if request.isUpgrading {
            // RFC 8441 §5: HTTP/2 has no key.
            request.head.fields.markAll(.secWebSocketKey)
            request.withTarget(route) {
                session.beginTunnelRequest(isSecure: endpoint.isSecure, authority: authority, path: $0)
            }
        } else {
            request.withTarget(route) {
                session.beginRequest(
                    method: UnsafeRawBufferPointer(rebasing: written[..<methodCount]), isSecure: endpoint.isSecure,
                    authority: authority, path: $0)
            }
        }
        session.appendFields(request.head.fields)
        session.appendFields(lines: UnsafeRawBufferPointer(rebasing: written[authorityCount...]))
        if request.head.acceptsTrailers, !route.isTyped { session.appendField("te", "trailers") }
        // The data after an extended CONNECT is not content (RFC 8441 §5).
        if !request.isUpgrading, case .length(let length) = request.body.outgoing {
            session.appendContentLength(length)
        }
        return authorityCount
    }

    /// The fields of the gateway itself, of the client's address, and of the configuration.
    private static func writeAdded(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        _ client: ForwardedClient, into out: inout Outbox
    ) {
        let shown = route.credentials
        if shown.isSigned, let credential = request.credential(route), credential.presentation.signature != nil {
            return writeSigned(request, route, upstream, endpoint, client, credential, into: &out)
        }
        // Without a credential per client it is known in advance whether the credential goes into a field or into the
        // query.
        if shown.isInField, let credential = request.credential(route),
            !(shown.isInQuery || shown.isSigned) || credential.isField
        {
            credential.reader.shown?.line?.withUnsafeBytes { out.append($0) }
        }
        writeUnsigned(request, route, upstream, client, into: &out)
    }

    /// The same, with a signature.
    private static func writeSigned(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        _ client: ForwardedClient, _ credential: CredentialRuntime, into out: inout Outbox
    ) {
        var outline = SignedOutline()
        writeMethod(request, route, into: &outline.method)
        writeAuthority(request, route, endpoint, into: &outline.host)
        writeUnsigned(request, route, upstream, client, into: &outline.lines)
        out.append(outline.lines.firstRun)
        out.append(outline.signature(of: request, route, isSecure: endpoint.isSecure, by: credential))
    }

    private static func writeUnsigned(
        _ request: BoundRequest, _ route: Route, _ upstream: UpstreamRuntime, _ client: ForwardedClient,
        into out: inout Outbox
    ) {
        if !route.fields.lines.isEmpty { out.append(route.fields.lines) }
        if !route.fields.secrets.isEmpty {
            for field in route.fields.secrets { writeSecret(field, request, into: &out) }
        }
        if !route.accepts.isEmpty { out.append(route.accepts) }
        if let trace = request.trace, !route.fields.saysTraceParent { trace.writeLine(into: &out) }
        writeParameters(request, route, into: &out)
        ForwardedFields.write(client, upstream.settings.forwarded, into: &out)
        switch request.head.version {
        case .http10: out.append("Via: 1.0 sluice\r\n")
        case .http11: out.append("Via: 1.1 sluice\r\n")
        case .http2: out.append("Via: 2 sluice\r\n")
        }
    }

    private static func writeLine(_ request: BoundRequest, _ route: Route, into out: inout Outbox) {
        writeMethod(request, route, into: &out)
        out.append(" ")
        request.withTarget(route) { out.append($0) }
        out.append(" HTTP/1.1\r\n")
    }

    private static func writeMethod(_ request: BoundRequest, _ route: Route, into out: inout Outbox) {
        if let name = route.methodName {
            // A query in another form than the usual one is too long for a target.
            if request.body.form == .usual { out.append(name) } else { out.append("POST") }
        } else if request.upstreamMethod == .get {
            out.append("GET")
        } else {
            out.append(request.head.methodName)
        }
    }

    private static func writeHost(_ client: ForwardedClient, _ endpoint: Endpoint, into out: inout Outbox) {
        out.append("Host: ")
        writeAuthority(client, endpoint, into: &out)
        out.append("\r\n")
    }

    private static func writeAuthority(_ client: ForwardedClient, _ endpoint: Endpoint, into out: inout Outbox) {
        switch endpoint.settings.host {
        case .upstream: out.append(endpoint.authority)
        // A client of HTTP/1.0 may have sent no host.
        case .client:
            if let host = client.host, !host.isEmpty { out.append(host) } else { out.append(endpoint.authority) }
        case .fixed(let name): out.append(Array(name.utf8))
        }
    }

    /// Writes the authority of the request.
    static func writeAuthority(
        _ request: BoundRequest, _ route: Route, _ endpoint: Endpoint, into out: inout Outbox
    ) {
        writeAuthority(ForwardedClient(request, request.forwardedRule(route)), endpoint, into: &out)
    }

    private static func writeSecret(
        _ field: (line: [UInt8], secret: Int), _ request: BoundRequest, into out: inout Outbox
    ) {
        guard let value = request.secret(field.secret) else { return }
        out.append(field.line)
        value.withUnsafeBytes { out.append($0) }
        out.append("\r\n")
    }

    /// Marks the fields of the client that do not go upstream.
    private static func markOwn(
        _ request: BoundRequest, _ route: Route, _ forwarded: ForwardedRule
    ) {
        let isChecked = route.isTyped
        request.head.fields.markConnectionNominated()
        for index in 0..<request.head.fields.count {
            let own: Bool
            switch request.head.fields[index].id {
            case .host, .contentLength: own = true
            case .authorization: own = !route.passesAuthorization
            // Clients request ranges of the cut value, but the upstream would send ranges of its whole answer.
            case .range, .ifRange: own = route.needsWhole
            case .acceptEncoding: own = isChecked
            // Conditions on reads are evaluated here, with the entity tags of cut values. Those on writes are left to
            // the upstream, or one update would overwrite another unseen (RFC 9110 §13.1.1).
            case .ifMatch, .ifNoneMatch: own = isChecked && !request.writes
            case .accept, .acceptCharset: own = route.wantsJSON
            case .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput:
                own = route.rewritesBody
            // The gateway itself has sent 100 Continue once it collects the body; from HTTP/1.0, or without content,
            // the field has no effect (RFC 9110 §10.1.1).
            case .expect: own = request.body.isExpectationMet || !request.head.expectsContinue
            // Meant for a proxy that asked for it, and no upstream is a proxy (RFC 9110 §11.7.2).
            case .proxyAuthorization: own = true
            case .cookie: own = route.hasCookieParameters
            // The gateway's own span becomes the parent of the upstream's (W3C Trace Context §3.4).
            case .traceparent: own = request.trace != nil
            case .tracestate: own = request.trace?.passesState == false
            case .other where isProxy(request.head.fields.name(index)): own = true
            case let id: own = forwarded.passes(id, request.head.fields.name(index)) == false
            }
            if own { request.head.fields.mark(index) }
        }
        // Clients may not send fields that the configuration sets, in any spelling.
        route.credentials.fields.markAll(in: &request.head.fields)
        route.fields.ownNames.markAll(in: &request.head.fields)
    }

    /// Marks trailers that do not go upstream: fields that the gateway sets or checks before the content must not come
    /// again after it (RFC 9110 §6.5.1).
    static func markTrailers(_ request: BoundRequest, _ route: Route) {
        request.trailers.markNominated(by: request.head.fields)
        if route.rewritesBody { request.trailers.markProofsOfContent() }
        request.trailers.markForwarded()
        route.credentials.fields.markAll(in: &request.trailers)
        route.fields.ownNames.markAll(in: &request.trailers)
        for parameter in route.parameters where parameter.location == .header {
            [parameter.nameBytes, parameter.fieldName].markAll(in: &request.trailers)
        }
    }

    /// Replaces the client's conditions, which are answered from the store, by the cache's own (RFC 9111 §4.3.1).
    /// Conditions of an earlier attempt are replaced too: a list of dates is no condition (RFC 9110 §13.1.3).
    private static func writeConditions(_ request: BoundRequest) {
        if request.isRedirected {
            // The conditions are about another resource, and so is a range that depends on one (If-Range).
            let hasIfRange = request.head.fields.firstIndex(of: .ifRange) != nil
            return markConditions(&request.head.fields, withRange: hasIfRange)
        }
        guard request.isFill || request.validators != nil else { return }
        markConditions(&request.head.fields, withRange: true)
        request.validators?.write(into: &request.head.fields)
        // Validators of one page say nothing about all pages.
        guard let stored = request.revalidated, request.route?.pages == nil else { return }
        if let etag = stored.validatorETag { request.head.fields.append(.ifNoneMatch, value: etag) }
        if let modified = stored.validatorLastModified {
            request.head.fields.append(.ifModifiedSince, value: modified)
        }
    }

    private static func markConditions(_ fields: inout HeaderBlock, withRange: Bool) {
        for index in 0..<fields.count {
            switch fields[index].id {
            case .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange: fields.mark(index)
            case .range: if withRange { fields.mark(index) }
            default: break
            }
        }
    }

    /// `Proxy` is no HTTP field, but CGI passes it on as HTTP_PROXY, which many programs obey (RFC 3875 §4.1.18).
    private static func isProxy(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count == 5 && zip(name, "proxy".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Writes the parameters that are header fields or cookies.
    private static func writeParameters(_ request: BoundRequest, _ route: Route, into out: inout Outbox) {
        if route.graphQL != nil { return }
        if route.hasCookieParameters { writeCookies(request, route, into: &out) }
        for (index, parameter) in route.parameters.enumerated() where parameter.location == .header {
            var isAbsent = true
            for entry in request.values.entries where entry.parameter == index {
                isAbsent = false
                out.append(parameter.fieldName)
                out.append(": ")
                out.append(request.values.bytes(entry))
                out.append("\r\n")
            }
            guard isAbsent, let text = parameter.absentText else { continue }
            out.append(parameter.fieldName)
            out.append(": ")
            out.append(text)
            out.append("\r\n")
        }
    }

    /// Writes the declared cookies under their upstream names, then all others as the client has (RFC 6265 §5.4).
    private static func writeCookies(_ request: BoundRequest, _ route: Route, into out: inout Outbox) {
        var separator: StaticString = "Cookie: "
        func begin(_ out: inout Outbox) {
            out.append(separator)
            separator = "; "
        }
        for (index, parameter) in route.parameters.enumerated() where parameter.location == .cookie {
            var isAbsent = true
            for entry in request.values.entries where entry.parameter == index {
                isAbsent = false
                begin(&out)
                out.append(parameter.fieldName)
                out.append("=")
                out.append(request.values.bytes(entry))
            }
            guard isAbsent, let text = parameter.absentText else { continue }
            begin(&out)
            out.append(parameter.fieldName)
            out.append("=")
            out.append(text)
        }
        for field in 0..<request.head.fields.count where request.head.fields[field].id == .cookie {
            var cookies = CookieIterator(request.head.fields.value(field))
            while let cookie = cookies.nextPiece() {
                let isDeclared = route.parameters.contains {
                    $0.location == .cookie
                        && ($0.nameBytes.elementsEqual(cookie.name) || $0.fieldName.elementsEqual(cookie.name))
                }
                // A piece without a name is no cookie (RFC 6265 §5.2).
                if isDeclared || cookie.name.isEmpty { continue }
                begin(&out)
                out.append(cookie.bytes)
            }
        }
        if separator.utf8CodeUnitCount == 2 { out.append("\r\n") }
    }
}

extension [[UInt8]] {
    /// Marks all fields whose names some servers take for one of these.
    fileprivate func markAll(in fields: inout HeaderBlock) {
        for name in self { name.withUnsafeBytes { fields.markAll(alike: $0) } }
    }
}
