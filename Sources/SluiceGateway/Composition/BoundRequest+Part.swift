internal import SluiceContract
internal import SluiceHTTP

/// The request for a part, made from the client's request: each part carries the client's identity and its fields that
/// apply to the whole.
extension BoundRequest {
    /// - Parameter bodyCount: bytes of the JSON body; nil is none.
    /// - Returns: why there is no such request.
    func become(
        _ part: PartPlan, _ target: PartTarget, bodyCount: Int?, for asked: BoundRequest, _ budget: PartsBudget
    ) -> Problem? {
        ask(forPartOf: asked, budget)
        contents = asked.contents?.part(named: part.name)
        borrowedRoute = Borrowed(generation.table.routes[part.route])
        part.method.withUnsafeBytes { head.set(method: $0) }
        if let refusal = target.bytes.withUnsafeBytes({ head.set(target: $0) }) {
            return Problem(refusal.kind, detail: "\(refusal.detail)")
        }
        if let refusal = PathRefusal.reason(head.path) {
            return Problem(.typeMismatch, detail: "A value does not fit into the path of the request. \(refusal)")
        }
        if target.lacksText {
            return Problem(.typeMismatch, detail: "A value does not fit into the path of the request. It is empty.")
        }
        if !asked.head.authority.isEmpty { _ = head.set(authority: asked.head.authority) }
        head.version = asked.head.version
        copyFields(of: asked)
        if let bodyCount {
            head.framing = .length(bodyCount)
            head.fields.append(.contentType, "application/json")
            head.fields.append(.contentLength, text: "\(bodyCount)")
        }
        path.set(head.path, captures: target.captures)
        return nil
    }

    private func copyFields(of asked: BoundRequest) {
        for index in 0..<asked.head.fields.count where !asked.head.fields.isMarked(index) {
            let id = asked.head.fields[index].id
            if id.isOfWhole || asked.head.fields.isNominated(index) || asked.trace != nil && id == .traceparent {
                continue
            }
            head.fields.append(name: asked.head.fields.name(index), value: asked.head.fields.value(index))
        }
        guard let trace = asked.trace else { return }
        var value = [UInt8](repeating: 0, count: TraceParent.byteCount)
        value.withUnsafeMutableBytes {
            TraceParent(trace: trace.id, parent: trace.span, flags: trace.flags).write(into: $0)
        }
        value.withUnsafeBytes { head.fields.append(.traceparent, value: $0) }
    }
}

extension FieldID {
    /// Whether a field is about one message, connection or representation, and so means nothing to a part: the content
    /// that is sent, the client's stored copy of the whole, the form of its answer, and which page may read it.
    fileprivate var isOfWhole: Bool {
        switch self {
        case .connection, .contentLength, .transferEncoding, .te, .trailer, .upgrade, .keepAlive, .proxyConnection,
            .http2Settings, .expect, .maxForwards:
            true
        case .contentType, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .contentDisposition,
            .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput:
            true
        case .accept, .acceptCharset, .acceptEncoding, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince,
            .ifUnmodifiedSince, .ifRange, .idempotencyKey:
            true
        case .origin, .secFetchSite, .secFetchMode, .secFetchDest, .accessControlRequestMethod,
            .accessControlRequestHeaders:
            true
        case .secWebSocketKey, .secWebSocketAccept, .secWebSocketVersion, .secWebSocketProtocol,
            .secWebSocketExtensions:
            true
        default: false
        }
    }
}
