internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

extension BoundRequest {
    /// Becomes the request for all clients that watch a value, without the fields that each client sends for itself.
    /// - Returns: why there is no such request.
    func become(watchOf asked: BoundRequest, _ route: Route) -> Problem? {
        become(pollOf: asked)
        Array("GET".utf8).withUnsafeBytes { head.set(method: $0) }
        if let refusal = head.set(target: asked.head.target) {
            return Problem(refusal.kind, detail: "\(refusal.detail)")
        }
        if !asked.head.authority.isEmpty { _ = head.set(authority: asked.head.authority) }
        head.version = asked.head.version
        // Fields of the client's connection are not forwarded, and the client's request itself goes no further.
        asked.head.fields.markConnectionNominated()
        for index in 0..<asked.head.fields.count where !asked.head.fields.isMarked(index) {
            let id = asked.head.fields[index].id
            if id.isOfWatcher || id == .authorization && !route.passesAuthorization { continue }
            if id == .other, asked.head.fields.name(index).equalsIgnoringCase("last-event-id") { continue }
            if id == .other, asked.head.fields.name(index).equalsIgnoringCase("prefer") { continue }
            head.fields.append(name: asked.head.fields.name(index), value: asked.head.fields.value(index))
        }
        return nil
    }

    /// A key that differs for two requests whose answers may differ: made of all that goes upstream or selects a stored
    /// answer.
    func watchKey(_ route: Route, _ plan: WatchPlan, _ store: MemoryStore) -> CacheKey {
        var hash = SipHash(store.secret.0, store.secret.1)
        hash.combine(plan.salt.0)
        hash.combine(plan.salt.1)
        // Parameters in their order, and with their defaults.
        hash.combine(run: target.bytes)
        // Parameters that came as fields have been taken out of the head.
        values.combine(Array(route.parameters.indices), into: &hash)
        combineFields(into: &hash)
        if var name = credential(route)?.name {
            name.withUTF8 { hash.combine(run: UnsafeRawBufferPointer($0)) }
        }
        let rule = route.cache?.forwarded(isNamed: clientName != nil) ?? route.forwarded
        ForwardedClient(self, rule).combine(into: &hash)
        if route.cache?.variesOnHost == true || route.localURLs != nil {
            hash.combine(run: head.authority)
            hash.combine(run: head.target)
            hash.combine(client?.isTLS == true ? 1 : 0)
        }
        // Parts are requested in the name of this client.
        if route.cache?.policy.isPrivate == true || route.composition != nil { combineClient(into: &hash) }
        return CacheKey(hash)
    }

    /// In lower case, as HTTP/2 has them. `User-Agent` is left out: some APIs demand it, but hardly any answer depends
    /// on it, so the first client's goes upstream for all.
    private func combineFields(into hash: inout SipHash) {
        for index in 0..<head.fields.count where head.fields[index].id != .userAgent {
            let name = head.fields.name(index).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            name.withUnsafeBytes { hash.combine(run: $0) }
            hash.combine(run: head.fields.value(index))
        }
    }
}

extension FieldID {
    /// Whether a field says how this client would like its stream, or who it is beside its credentials; no answer that
    /// others share may depend on it.
    fileprivate var isOfWatcher: Bool {
        switch self {
        case .host, .connection, .contentLength, .transferEncoding, .te, .trailer, .upgrade, .keepAlive,
            .proxyConnection, .http2Settings, .expect, .maxForwards, .via:
            true
        case .accept, .acceptCharset, .acceptEncoding, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince,
            .ifUnmodifiedSince, .ifRange, .cacheControl, .pragma, .priority, .idempotencyKey:
            true
        case .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentDigest, .reprDigest, .digest,
            .contentMD5, .signature, .signatureInput:
            true
        case .origin, .referer, .secFetchSite, .secFetchMode, .secFetchDest, .xRequestID, .traceparent,
            .tracestate, .date:
            true
        default: false
        }
    }
}
