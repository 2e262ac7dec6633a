internal import SluiceContract
internal import SluiceHTTP

/// Which fields of an upstream's answer go to the client.
enum AnswerFields {
    /// The fields of an answer whose content is passed through as it came.
    static func preparePassing(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) -> AnswerFraming {
        guard response.status == 304, route.cuts(status: 200) else {
            prepareUntouched(&response, for: request, route, endpoint, loop)
            // The 200 has been edited, so the upstream's validators and digests do not hold for it.
            if response.status == 304, route.localURLs != nil { weakenProofs(&response.fields) }
            return framing(of: response, for: request)
        }
        // A cache fill made the conditional request itself, and takes the upstream's 304 as it is.
        if request.isFill {
            prepareUntouched(&response, for: request, route, endpoint, loop)
        } else {
            prepareNotModified(&response, for: request, route, endpoint, loop)
        }
        // A 304 announces the length that the 200 would have, which is not known for a slice.
        return .empty(announcing: nil)
    }

    /// Removes hop-by-hop fields and those that frame the message (RFC 9110 §7.6.1).
    static func prepareUntouched(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        response.fields.markConnectionNominated()
        route.answerFields?.apply(to: &response.fields)
        var hasDate = false
        for index in 0..<response.fields.count {
            switch response.fields[index].id {
            case .contentLength: response.fields.mark(index)
            case .setCookie where !route.binding.passesSetCookie: response.fields.mark(index)
            // Announces trailers, which are sent only to a client that asked for them (RFC 9110 §6.5.1, §6.6.2).
            case .trailer where !request.head.acceptsTrailers: response.fields.mark(index)
            // Meant for the hop between a proxy and its client, here the gateway (RFC 9110 §11.7.1, §11.7.3).
            case .proxyAuthenticate, .proxyAuthenticationInfo: response.fields.mark(index)
            // `cors:` decides which origins may read an answer.
            case .accessControlAllowOrigin, .accessControlAllowMethods, .accessControlAllowHeaders,
                .accessControlAllowCredentials, .accessControlExposeHeaders, .accessControlMaxAge:
                response.fields.mark(index)
            case .date where !response.fields.isMarked(index): hasDate = true
            case .link: mapLinks(index, &response, request, route, endpoint?.object)
            case .location: mapLocation(index, &response, request, route, endpoint?.object)
            default: break
            }
        }
        if route.hasFixedParameters { markEchoes(&response, of: request) }
        // HTTP/2 has no such field (RFC 9113 §8.2.2), and a cache fill also serves other clients.
        if response.status == 426, request.head.version != .http2, !request.isFill { appendUpgrade(to: &response) }
        // RFC 9110 §6.6.1: a recipient that forwards an answer without a date adds the time it was received.
        if !hasDate { loop.date.withUnsafeBytes { response.fields.append(.date, value: $0) } }
        // A composed answer originates here, so the gateway is no intermediary for it (RFC 9110 §7.6.3).
        if route.composition != nil { return }
        switch response.version {
        case .http10: response.fields.append(.via, "1.0 sluice")
        case .http11: response.fields.append(.via, "1.1 sluice")
        case .http2: response.fields.append(.via, "2 sluice")
        }
    }

    /// An upstream that repeats the request's target (in `Location`, `Content-Location`, `Refresh` or fields of its
    /// own) would reveal a key in it. Such fields are removed.
    private static func markEchoes(_ response: inout ResponseHead, of request: BoundRequest) {
        guard let mask = EchoMask.mask(for: request), !mask.isEmpty else { return }
        for index in 0..<response.fields.count where !response.fields.isMarked(index) {
            let text = String(decoding: response.fields.value(index), as: UTF8.self)
            if mask.applied(to: text) != text { response.fields.mark(index) }
        }
    }

    /// A 426 has to name the wanted protocol (RFC 9110 §15.5.22), though `Upgrade` is hop-by-hop.
    private static func appendUpgrade(to response: inout ResponseHead) {
        for index in 0..<response.fields.count where response.fields[index].id == .upgrade {
            let value = Array(response.fields.value(index))
            value.withUnsafeBytes { response.fields.append(.upgrade, value: $0) }
            response.fields.append(.connection, "Upgrade")
        }
    }

    private static func mapLinks(
        _ index: Int, _ response: inout ResponseHead, _ request: BoundRequest, _ route: Route, _ endpoint: Endpoint?
    ) {
        guard let endpoint, !response.fields.isMarked(index),
            let local = LinkTargets.mapped(response.fields.value(index), for: request, route, endpoint)
        else { return }
        response.fields.mark(index)
        local.withUnsafeBytes { response.fields.append(.link, value: $0) }
    }

    private static func mapLocation(
        _ index: Int, _ response: inout ResponseHead, _ request: BoundRequest, _ route: Route,
        _ endpoint: Endpoint?
    ) {
        guard let endpoint, !response.fields.isMarked(index) else { return }
        let value = response.fields.value(index)
        let mapped = route.locationMap?.local(
            value, of: endpoint.origin, authority: endpoint.authority, client: request.head.authority)
        guard
            let local = mapped.map({ LinkTargets.withoutSecrets($0, route) ?? $0 })
                ?? LinkTargets.withoutSecrets(value, for: request, route, endpoint)
        else { return }
        response.fields.mark(index)
        local.withUnsafeBytes { response.fields.append(.location, value: $0) }
    }

    /// An interim answer has no content, and so no `Content-Length` (RFC 9110 §8.6, §15.2).
    static func prepareInterim(_ response: inout ResponseHead, _ route: Route) {
        response.fields.markConnectionNominated()
        for index in 0..<response.fields.count {
            switch response.fields[index].id {
            case .contentLength: response.fields.mark(index)
            case .setCookie where !route.binding.passesSetCookie: response.fields.mark(index)
            default: break
            }
        }
    }

    /// The fields of an answer that opens a tunnel (RFC 9110 §7.8; RFC 8441 §5).
    /// - Parameter isStream: the upstream speaks HTTP/2.
    static func prepareTunnel(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, isStream: Bool, _ loop: LoopContext
    ) {
        prepareInterim(&response, route)
        response.fields.append(.via, isStream ? "2 sluice" : "1.1 sluice")
        if isStream { WebSocketHandshake.translate(&response, for: request.head) }
        if request.head.connectProtocol != .none {
            if let index = response.fields.firstIndex(of: .secWebSocketAccept) { response.fields.mark(index) }
            loop.date.withUnsafeBytes { response.fields.append(.date, value: $0) }
        }
    }

    /// The fields of a slice: those that describe the whole upstream body do not hold for it.
    static func prepareExtracted(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        prepareUntouched(&response, for: request, route, endpoint, loop)
        markFieldsOfWhole(&response)
        let isLines = route.streamsRows && response.status < 400
        response.fields.append(.contentType, isLines ? "application/x-ndjson" : "application/json")
    }

    /// A 304 for a slice: it carries the fields that the 200 would have (RFC 9110 §15.4.5).
    private static func prepareNotModified(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        prepareUntouched(&response, for: request, route, endpoint, loop)
        markFieldsOfWhole(&response)
        if route.binding.compression != nil { response.fields.append(.vary, "Accept-Encoding") }
    }

    private static func markFieldsOfWhole(_ response: inout ResponseHead) {
        for index in 0..<response.fields.count {
            let id = response.fields[index].id
            // A range in another unit than bytes is a range of list items (``Judge/isUnaskedPart(_:_:)``).
            if id == .contentRange, response.status == 206 { continue }
            if speakOfWhole(id) || id == .trailer { response.fields.mark(index) }
        }
    }

    /// Fields that describe the upstream's whole body: its validator, media type, name, digests and signatures.
    static func speakOfWhole(_ id: FieldID) -> Bool {
        switch id {
        case .contentType, .contentEncoding, .etag, .acceptRanges, .contentRange, .contentLocation,
            .contentDisposition, .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput:
            true
        default: false
        }
    }

    /// An answer whose content coding, asked for by the gateway alone, has been decoded: fields that describe the coded
    /// bytes do not hold for it (RFC 9110 §7.7, §8.4).
    static func prepareDecoded(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        prepareUntouched(&response, for: request, route, endpoint, loop)
        weakenProofs(&response.fields)
    }

    /// Removes or weakens fields that hold only for the upstream's exact bytes.
    private static func weakenProofs(_ fields: inout HeaderBlock) {
        for index in 0..<fields.count {
            switch fields[index].id {
            case .contentEncoding, .acceptRanges: fields.mark(index)
            case .etag: weaken(index, &fields)
            default: break
            }
        }
        fields.markProofsOfContent()
    }

    /// RFC 9110 §8.8.3.3: a strong validator differs between codings.
    private static func weaken(_ index: Int, _ fields: inout HeaderBlock) {
        let tag = Array(fields.value(index))
        if tag.starts(with: "W/".utf8) { return }
        fields.mark(index)
        ("W/".utf8 + tag).withUnsafeBytes { fields.append(.etag, value: $0) }
    }

    private static func framing(of response: borrowing ResponseHead, for request: BoundRequest) -> AnswerFraming {
        let isHead = request.head.method == .head
        if isHead || response.status == 204 || response.status == 304 {
            return .empty(announcing: response.status == 204 ? nil : announcedLength(response))
        }
        switch response.framing {
        // A gRPC answer without messages is only a status.
        case .none where request.isGRPCCall: return .empty(announcing: nil)
        case .none: return .length(0)
        case .length(let length): return .length(length)
        case .chunked, .untilClose: return .stream
        }
    }

    private static func announcedLength(_ response: borrowing ResponseHead) -> Int? {
        guard let index = response.fields.firstIndex(of: .contentLength) else { return nil }
        return Int(String(decoding: response.fields.value(index), as: UTF8.self))
    }
}
