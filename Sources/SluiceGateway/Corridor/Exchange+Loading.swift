internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Limits the client's wait for its answer, by the binding's setting or the client's own wish.
    func waitPatiently(_ walk: CacheWalk, usual: UInt64) {
        guard request.head.method == .get, request.purpose == .client, walk.fill != nil, !walk.hasHead
        else { return }
        walk.patience = Patience(walk, usual: usual, since: startedAt)
        // The exchange may consult the cache more than once.
        if ownFields.firstIndex(of: .vary, "Prefer") == nil { ownFields.append(.vary, "Prefer") }
    }

    /// The client has been answered within the time that it asked for: says so in the fields.
    func tellWait(_ seconds: String) {
        Array("Preference-Applied".utf8).withUnsafeBytes { field in
            Array("wait=\(seconds)".utf8).withUnsafeBytes { ownFields.append(name: field, value: $0) }
        }
    }

    /// The answer takes long: a 202 tells the client where to ask for it again (RFC 9110 §15.3.3), unless `serve:`
    /// prefers the default.
    func tellLoading() {
        guard let route else { return }
        if let body = route.defaultBody, route.servesDefaultWhileLoading, !request.isStrict {
            return answerDefault(body)
        }
        var fields = HeaderBlock()
        fields.append(.cacheControl, "no-store")
        fields.append(.retryAfter, "1")
        // `//name` would be another host (RFC 3986 §4.2).
        if !request.head.target.starts(with: "//".utf8) { fields.append(.location, value: request.head.target) }
        answer(status: 202, json: Array("{\"state\":\"loading\"}\n".utf8), &fields)
    }

    /// Answers with the binding's default.
    func answerDefault(_ body: [UInt8]) {
        var fields = HeaderBlock()
        answer(status: 200, json: body, &fields)
    }

    /// Answers with JSON that the gateway makes itself.
    private func answer(status: Int, json body: [UInt8], _ fields: inout HeaderBlock) {
        fields.append(.contentType, "application/json")
        fields.append(.via, "1.1 sluice")
        loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        appendCacheStatus(&fields)
        answer(status: status, reason: .empty, fields: fields, framing: .length(body.count))
        body.withUnsafeBytes { answerBody($0, lifetime: .call) }
        answerEnd()
    }
}

extension HeaderBlock {
    /// The first field of this kind with this value.
    fileprivate func firstIndex(of id: FieldID, _ value: String) -> Int? {
        (0..<count).first { self[$0].id == id && self.value($0).elementsEqual(value.utf8) }
    }
}
