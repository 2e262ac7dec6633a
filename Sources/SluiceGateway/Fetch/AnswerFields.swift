internal import SluiceContract
internal import SluiceHTTP

/// Which fields of an upstream's answer go to the client.
enum AnswerFields {
    /// Those of an answer whose content passes through as it came.
    static func preparePassing(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) -> AnswerFraming {
        guard response.status == 304, route.cuts(status: 200) else {
            prepareUntouched(&response, for: request, route, endpoint, loop)
            // The 200 is edited, and no proof of the upstream's bytes.
            if response.status == 304, route.localURLs != nil { weakenProofs(&response.fields) }
            return framing(of: response, for: request)
        }
        // The cache asks for the upstream's own reasons, and hears them.
        if request.isFill {
            prepareUntouched(&response, for: request, route, endpoint, loop)
        } else {
            prepareNotModified(&response, for: request, route, endpoint, loop)
        }
        // What a 304 announces is the length that the 200 would have: that of a slice is not known.
        return .empty(announcing: nil)
    }

    /// Hop-by-hop fields and those that frame the message stay behind (RFC 9110 §7.6.1).
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
            // Announces what only a client gets that asked (RFC 9110 §6.5.1, §6.6.2).
            case .trailer where !request.head.acceptsTrailers: response.fields.mark(index)
            // Between an upstream that takes itself for a proxy and the gateway (RFC 9110 §11.7.1, §11.7.3).
            case .proxyAuthenticate, .proxyAuthenticationInfo: response.fields.mark(index)
            // Which origins may read an answer is for `cors:` to say.
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
        // HTTP/2 has no such field (RFC 9113 §8.2.2), and what is fetched for the cache is for others, too.
        if response.status == 426, request.head.version != .http2, !request.isFill { appendUpgrade(to: &response) }
        // RFC 9110 §6.6.1: a recipient that forwards an answer without a date adds the time it was received.
        if !hasDate { loop.date.withUnsafeBytes { response.fields.append(.date, value: $0) } }
        // Where the gateway has made the answer, it stands between nobody (RFC 9110 §7.6.3).
        if route.composition != nil { return }
        switch response.version {
        case .http10: response.fields.append(.via, "1.0 sluice")
        case .http11: response.fields.append(.via, "1.1 sluice")
        case .http2: response.fields.append(.via, "2 sluice")
        }
    }

    /// An upstream that repeats the target it was asked for (`Location`, `Content-Location`, `Refresh`, fields of its
    /// own) would hand on a key that stands there.
    private static func markEchoes(_ response: inout ResponseHead, of request: BoundRequest) {
        guard let mask = EchoMask.mask(for: request), !mask.isEmpty else { return }
        for index in 0..<response.fields.count where !response.fields.isMarked(index) {
            let text = String(decoding: response.fields.value(index), as: UTF8.self)
            if mask.applied(to: text) != text { response.fields.mark(index) }
        }
    }

    /// A 426 has to say which protocol is wanted (RFC 9110 §15.5.22), though `Upgrade` is for one hop alone.
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

    /// An interim answer has no content whose length there would be to tell (RFC 9110 §8.6, §15.2).
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

    /// Those of an answer that opens a tunnel (RFC 9110 §7.8; RFC 8441 §5).
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

    /// Those of a slice: what speaks of the whole upstream body is not true of it.
    static func prepareExtracted(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        prepareUntouched(&response, for: request, route, endpoint, loop)
        markFieldsOfWhole(&response)
        let isLines = route.streamsRows && response.status < 400
        response.fields.append(.contentType, isLines ? "application/x-ndjson" : "application/json")
    }

    /// What has been said of the slice before is still right: a 304 speaks of it as a 200 would (RFC 9110 §15.4.5).
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
            // A range of another unit than bytes is one of a list (``Judge/isUnaskedPart(_:_:)``).
            if id == .contentRange, response.status == 206 { continue }
            if speakOfWhole(id) || id == .trailer { response.fields.mark(index) }
        }
    }

    /// Fields that are about the upstream's whole body: its validator, its form, its name, and what proves it.
    static func speakOfWhole(_ id: FieldID) -> Bool {
        switch id {
        case .contentType, .contentEncoding, .etag, .acceptRanges, .contentRange, .contentLocation,
            .contentDisposition, .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput:
            true
        default: false
        }
    }

    /// An answer that goes on without the content coding that it came in, which only the gateway had asked for: what
    /// speaks of the coded bytes is not true of it (RFC 9110 §7.7, §8.4).
    static func prepareDecoded(
        _ response: inout ResponseHead, for request: BoundRequest, _ route: Route, _ endpoint: Borrowed<Endpoint>?,
        _ loop: LoopContext
    ) {
        prepareUntouched(&response, for: request, route, endpoint, loop)
        weakenProofs(&response.fields)
    }

    /// What speaks of the upstream's very bytes is not true of other ones.
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

    /// RFC 9110 §8.8.3.3: a strong validator tells one coding from another.
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
        // A call without messages is nothing but its outcome.
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
