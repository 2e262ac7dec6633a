internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Makes the answer to a request whose route has a fixture, once the request has arrived completely.
struct StandInMaker {
    let fixture: FixtureRoute
    let request: BoundRequest
    let route: Route
    let upstream: String
    /// Seconds since 1970.
    let now: Int

    /// What came of the question.
    enum Outcome {
        case made(StandIn)
        /// The request was not recorded, and the upstream is asked where that is possible.
        case askUpstream(otherwise: Problem)
    }

    /// - Parameter body: the body of the request; nil where it is longer than the comparison limit.
    func outcome(for body: [UInt8]?) -> Outcome {
        switch fixture.script {
        case .value(let bytes, let status): return .made(.value(message(status, bytes)))
        case .content(let bytes, let mediaType, let status):
            var message = message(status, bytes)
            if !mediaType.isEmpty, !message.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                message.fields.append(("Content-Type", mediaType))
            }
            return .made(.answer(framed(message)))
        case .generated(let generator, let seed, let status):
            guard let bytes = generator.json(seed: requestSeed(body ?? []) &+ seed) else {
                return .made(.problem(noFixture("No value of the type of '\(route.binding.name)' was found.")))
            }
            return .made(.value(message(status, route.streamsRows ? JSONLines.lines(ofArray: bytes) : bytes)))
        case .silence: return .made(.silence)
        case .problem(let kind):
            return .made(.problem(Problem(kind, detail: "The fixture of '\(route.binding.name)' stands for this.")))
        case .recorded(let index): return recorded(index, body)
        case .none:
            let detail = "'\(route.binding.name)' has no 'fixture:', and no 'value:' to make one of."
            return .made(.problem(noFixture(detail)))
        }
    }

    private func message(_ status: Int, _ body: [UInt8]) -> StandIn.Message {
        var fields = fixture.fields.map { (name: $0.name, value: $0.value) }
        // The fixture is not the upstream's answer, and the upstream may be back for the next request.
        if fixture.isForUnreachable { fields.append(("Cache-Control", "no-store")) }
        return StandIn.Message(status: status, fields: fields, body: body)
    }

    /// Removes the body where the request's method or the status allows none (RFC 9110 §6.4.1).
    private func framed(_ message: StandIn.Message) -> StandIn.Message {
        guard request.upstreamMethod == .head || [204, 304].contains(message.status), !message.body.isEmpty else {
            return message
        }
        var message = message
        if message.status != 204, !message.fields.contains(where: { $0.name.lowercased() == "content-length" }) {
            message.fields.append(("Content-Length", "\(message.body.count)"))
        }
        message.body = []
        return message
    }

    private func noFixture(_ detail: String) -> Problem { Problem(.noFixture, detail: detail) }

    /// A seed that is the same for the same request, whatever the client and the time.
    private func requestSeed(_ body: [UInt8]) -> UInt64 {
        var hash = SipHash(0, 0)
        Array(route.binding.name.utf8).withUnsafeBytes { hash.combine(run: $0) }
        hash.combine(run: request.target.bytes)
        for entry in request.values.entries { hash.combine(run: request.values.bytes(entry)) }
        body.withUnsafeBytes { hash.combine(run: $0) }
        return hash.finish().0
    }

    // MARK: - What was recorded

    private func recorded(_ index: RecordingIndex, _ body: [UInt8]?) -> Outcome {
        let method = request.sentMethod
        var names = index.names
        if let exchange = answer(index, method, body, names) { return played(exchange) }
        let target = target(names)
        if !names.compared.isEmpty {
            // Some exchanges were recorded without the fields of the comparison.
            names.compared = []
            if let exchange = answer(index, method, body, names) { return played(exchange) }
        }
        var detail = "'\(method) \(target)' of '\(upstream)' was not recorded"
        if body == nil { detail += ": its body is larger than \(Recordings.bodyBytesMax >> 20) MiB" }
        if let nearest = index.nearest(upstream: upstream, method: method, target: target) {
            let known = nearest.exchange
            detail +=
                "; the nearest is '\(known.method) \(known.target)' of '\(known.upstream)', with"
                + " \(nearest.difference)"
        }
        let problem = noFixture(detail + ".")
        return index.missing == .live ? .askUpstream(otherwise: problem) : .made(.problem(problem))
    }

    private func played(_ exchange: RecordedExchange) -> Outcome {
        .made(.answer(framed(RecordedAnswer(exchange).message(now: now))))
    }

    private func target(_ names: RecordingNames) -> String {
        RecordedBody.ofRequest(names).masked(target: request.target.bytes)
    }

    private func answer(
        _ index: RecordingIndex, _ method: String, _ body: [UInt8]?, _ names: RecordingNames
    ) -> RecordedExchange? {
        guard let body else { return nil }
        let target = target(names)
        var names = names
        names.leftOut.formUnion(route.secrets.memberNames)
        let type = request.head.fields.firstIndex(of: .contentType)
            .map { String(decoding: request.head.fields.value($0), as: UTF8.self) }
        return index.answer(
            upstream: upstream, method: method, target: target,
            body: RecordedBody.ofRequest(names).masked(body, type: type))
    }
}

extension RouteSecrets {
    /// Body members with secret values: without an upstream, they have no value.
    fileprivate var memberNames: [String] {
        members.compactMap { $0.secret == nil ? nil : String(decoding: $0.name, as: UTF8.self) }
    }
}
