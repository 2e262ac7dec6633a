internal import SluiceContract
internal import SluiceHTTP

/// Writes the head of an upstream request: what the client sent less what is the gateway's own business.
enum UpstreamRequestWriter {
    /// For HTTP/1.1.
    static func write(
        _ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        into out: inout Outbox
    ) {
        let forwarded = exchange.forwardedRule(route)
        let client = ForwardedClient(exchange, forwarded)
        writeLine(exchange, route, into: &out)
        writeHost(client, endpoint, into: &out)
        markOwn(exchange, route, upstream.settings, forwarded)
        exchange.filling?.prepareRequest(&exchange.request.fields)
        HTTP1Writer.fields(exchange.request.fields, into: &out)
        writeAdded(exchange, route, upstream, client, into: &out)
        if exchange.isUpgrading {
            out.append("Upgrade: websocket\r\nConnection: Upgrade\r\n")
        } else if exchange.request.acceptsTrailers, !route.isTyped {
            out.append("TE: trailers\r\nConnection: TE\r\n")
        }
        switch exchange.body.outgoing {
        case .none: break
        case .length(let length): HTTP1Writer.field(.contentLength, decimal: length, into: &out)
        case .chunked: out.append("Transfer-Encoding: chunked\r\n")
        }
        HTTP1Writer.endOfHead(into: &out)
    }

    /// For HTTP/2: into the field list of a session, which copies it when the request is submitted.
    static func write(
        _ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime, _ endpoint: Endpoint,
        to session: HTTP2ClientSession
    ) {
        let forwarded = exchange.forwardedRule(route)
        let client = ForwardedClient(exchange, forwarded)
        markOwn(exchange, route, upstream.settings, forwarded)
        exchange.filling?.prepareRequest(&exchange.request.fields)
        let room = exchange.gateway.http2Upstream
        // Lines of HTTP/1.1, as they are written there; they are taken apart again where they stand.
        room.lines.removeAll()
        writeMethod(exchange, route, into: &room.lines)
        let methodCount = room.lines.count
        writeAuthority(client, endpoint, into: &room.lines)
        // A client of HTTP/1.0 may have named nobody.
        if room.lines.count == methodCount { room.lines.append(endpoint.authority) }
        let authorityCount = room.lines.count
        writeAdded(exchange, route, upstream, client, into: &room.lines)
        let lines = room.lines.firstRun
        let authority = UnsafeRawBufferPointer(rebasing: lines[methodCount..<authorityCount])
        if exchange.isUpgrading {
            // RFC 8441 §5: there is no key.
            exchange.request.fields.markAll(.secWebSocketKey)
            session.beginTunnelRequest(
                isSecure: endpoint.isSecure, authority: authority, path: exchange.target.bytes)
        } else {
            session.beginRequest(
                method: UnsafeRawBufferPointer(rebasing: lines[..<methodCount]), isSecure: endpoint.isSecure,
                authority: authority, path: exchange.target.bytes)
        }
        session.appendFields(exchange.request.fields)
        session.appendFields(lines: UnsafeRawBufferPointer(rebasing: lines[authorityCount...]))
        if exchange.request.acceptsTrailers, !route.isTyped { session.appendField("te", "trailers") }
        // What follows an extended CONNECT is no content (RFC 8441 §5).
        if !exchange.isUpgrading, case .length(let length) = exchange.body.outgoing {
            session.appendContentLength(length)
        }
    }

    /// What the gateway says of itself, of the client and for the configuration.
    private static func writeAdded(
        _ exchange: Exchange, _ route: Route, _ upstream: UpstreamRuntime, _ client: ForwardedClient,
        into out: inout Outbox
    ) {
        if route.sendsBearer, let token = upstream.token.current {
            out.append("Authorization: Bearer ")
            out.append(token)
            out.append("\r\n")
        }
        for header in upstream.settings.headers { writeField(header, into: &out) }
        for header in route.binding.headers { writeField(header, into: &out) }
        if !route.accepts.isEmpty { out.append(route.accepts) }
        writeParameters(exchange, route, into: &out)
        ForwardedFields.write(client, upstream.settings.forwarded, into: &out)
        switch exchange.request.version {
        case .http10: out.append("Via: 1.0 sluice\r\n")
        case .http11: out.append("Via: 1.1 sluice\r\n")
        case .http2: out.append("Via: 2 sluice\r\n")
        }
    }

    private static func writeLine(_ exchange: Exchange, _ route: Route, into out: inout Outbox) {
        writeMethod(exchange, route, into: &out)
        out.append(" ")
        out.append(exchange.target.bytes)
        out.append(" HTTP/1.1\r\n")
    }

    private static func writeMethod(_ exchange: Exchange, _ route: Route, into out: inout Outbox) {
        if let name = route.methodName {
            out.append(name)
        } else if exchange.upstreamMethod == .get {
            out.append("GET")
        } else {
            out.append(exchange.request.methodName)
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
        case .client: client.host.map { out.append($0) }
        case .fixed(let name): out.append(Array(name.utf8))
        }
    }

    private static func writeField(_ header: HeaderSetting, into out: inout Outbox) {
        out.append(Array(header.name.utf8))
        out.append(": ")
        out.append(Array(header.value.utf8))
        out.append("\r\n")
    }

    /// Marks the fields of the client that do not go upstream.
    private static func markOwn(
        _ exchange: Exchange, _ route: Route, _ upstream: Upstream, _ forwarded: ForwardedRule
    ) {
        let isChecked = route.isTyped
        exchange.request.fields.markConnectionNominated()
        for index in 0..<exchange.request.fields.count {
            let own: Bool
            switch exchange.request.fields[index].id {
            case .host, .contentLength: own = true
            case .authorization: own = !route.passesAuthorization
            // Client and gateway speak of slices, gateway and upstream of whole answers.
            case .range, .ifRange, .acceptEncoding: own = isChecked
            // What reads is answered here, by tags of slices. What writes is judged by whom it is written to, or one
            // update would overwrite another unseen (RFC 9110 §13.1.1).
            case .ifMatch, .ifNoneMatch: own = isChecked && !exchange.writes
            case .accept, .acceptCharset: own = route.wantsJSON
            case .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput:
                own = route.rewritesBody
            // The gateway has answered this itself once it collects the body; and from HTTP/1.0, or without content, it
            // asks for nothing (RFC 9110 §10.1.1).
            case .expect: own = exchange.body.isExpectationMet || !exchange.request.expectsContinue
            // For the proxy that asked, and no upstream is one (RFC 9110 §11.7.2).
            case .proxyAuthorization: own = true
            case .cookie: own = route.hasCookieParameters
            case .other where isProxy(exchange.request.fields.name(index)): own = true
            case let id: own = forwarded.passes(id, exchange.request.fields.name(index)) == false
            }
            if own { exchange.request.fields.mark(index) }
        }
        for header in upstream.headers { markConfigured(header, exchange) }
        for header in route.binding.headers { markConfigured(header, exchange) }
    }

    /// `Proxy` is no field of HTTP, but CGI hands it on as HTTP_PROXY, which many programs obey (RFC 3875 §4.1.18).
    private static func isProxy(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count == 5 && zip(name, "proxy".utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// What the configuration says of a field is not left to the client.
    private static func markConfigured(_ header: HeaderSetting, _ exchange: Exchange) {
        var name = header.name
        name.withUTF8 { exchange.request.fields.markAll(UnsafeRawBufferPointer($0)) }
    }

    /// Parameters that travel as fields and cookies.
    private static func writeParameters(_ exchange: Exchange, _ route: Route, into out: inout Outbox) {
        if route.hasCookieParameters { writeCookies(exchange, route, into: &out) }
        for (index, parameter) in route.parameters.enumerated() where parameter.location == .header {
            for entry in exchange.values.entries where entry.parameter == index {
                out.append(parameter.fieldName)
                out.append(": ")
                out.append(exchange.values.bytes(entry))
                out.append("\r\n")
            }
        }
    }
    /// The declared cookies by their upstream names, then whatever else the client sent (RFC 6265 §5.4).
    private static func writeCookies(_ exchange: Exchange, _ route: Route, into out: inout Outbox) {
        var separator: StaticString = "Cookie: "
        func write(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, into out: inout Outbox) {
            out.append(separator)
            separator = "; "
            out.append(name)
            out.append("=")
            out.append(value)
        }
        for (index, parameter) in route.parameters.enumerated() where parameter.location == .cookie {
            for entry in exchange.values.entries where entry.parameter == index {
                parameter.fieldName.withUnsafeBytes { write($0, exchange.values.bytes(entry), into: &out) }
            }
        }
        for field in 0..<exchange.request.fields.count where exchange.request.fields[field].id == .cookie {
            var cookies = CookieIterator(exchange.request.fields.value(field))
            while let cookie = cookies.next() {
                let isDeclared = route.parameters.contains {
                    $0.location == .cookie && $0.nameBytes.elementsEqual(cookie.name)
                }
                if !isDeclared { write(cookie.name, cookie.value, into: &out) }
            }
        }
        if separator.utf8CodeUnitCount == 2 { out.append("\r\n") }
    }
}
