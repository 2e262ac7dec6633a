/// One load of a resource from the gateway.
struct ResourceCall: Sendable {
    let address: ResourceAddress
    let client: GatewayClient
    let now: @Sendable () -> ContinuousClock.Instant

    func outcome<Content: Decodable & Sendable>(
        of load: ResourceLoad, _ tell: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(CallError) -> ResourceLoader<Content>.Outcome {
        try address.check()
        var call = Call(.get, address.path, query: address.query)
        if let etag = load.etag { call.fields.append(CallField("If-None-Match", etag)) }
        if load.passesCache { call.fields.append(CallField("Cache-Control", "no-cache")) }
        let answer = try await whole(of: call, tell)
        let time = now() - Self.age(of: answer)
        if answer.status == 304, load.etag != nil { return .notModified(time) }
        guard answer.isSuccess else { throw GatewayClient.failure(in: answer) }
        let content = try AnswerReading(answer: answer, coding: client.settings.coding).body(Content.self)
        let data = ResourceData(
            content: content, timestamp: time, etag: answer.field("ETag"), mediaType: answer.mediaType)
        return .new(data, Self.isHit(answer) ? .cache : .network)
    }

    /// Reads an answer and tells how far it is. A stream is not bound to a call's deadline, so that is enforced here.
    private func whole(
        of call: Call, _ tell: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(CallError) -> WholeAnswer {
        let waits = Locked(TransportWait.answer)
        do {
            return try await TimeLimit.run(client.settings.timeout, for: { waits.withLock { $0 } }) {
                let answer = try await client.stream(call)
                waits.withLock { $0 = .content }
                var whole = WholeAnswer(status: answer.status, fields: answer.fields)
                let expected = whole.field("Content-Length").flatMap { Int($0) }
                for try await chunk in answer.body {
                    guard whole.body.count + chunk.count <= client.settings.answerBytesMax else {
                        throw TransportError.tooLarge(limit: client.settings.answerBytesMax)
                    }
                    whole.body += chunk
                    tell(LoadProgress(received: whole.body.count, expected: expected))
                }
                return whole
            }
        } catch {
            throw CallError(sending: error)
        }
    }

    /// How old an answer is that lay in a cache (RFC 9111 §5.1).
    private static func age(of answer: WholeAnswer) -> Duration {
        .seconds(min(max(answer.field("Age").flatMap { Int($0) } ?? 0, 0), 1 << 31))
    }

    /// Whether the gateway had the answer stored (RFC 9211 §2.1).
    private static func isHit(_ answer: WholeAnswer) -> Bool {
        answer.field("Cache-Status")?.split(separator: ";").contains { $0.filter { $0 != " " } == "hit" } ?? false
    }
}
