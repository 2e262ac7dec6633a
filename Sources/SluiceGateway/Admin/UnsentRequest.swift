internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The place of a client in an exchange that nobody has begun: it walks far enough to be known, and never to an answer.
final class UnsentRequest: AnswerSink {
    let client: ClientInfo

    init(address: String, isSecure: Bool) {
        client = ClientInfo(address: Array(address.utf8), isTLS: isSecure)
    }

    func sendInterim(_ head: borrowing ResponseHead) {}
    func sendHead(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {}
    func sendHead(of entry: StoredResponse, now: UInt64) {}
    func openTunnel(_ fields: borrowing HeaderBlock) {}
    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {}
    func sendEnd() {}
    func sendEnd(trailers: borrowing HeaderBlock) {}
    func abortAnswer() {}
    func resumeRequestBody() {}
    func hasRoom() -> Bool { true }
}

extension Gateway {
    /// Walks an exchange for `question` to where the cache is consulted, and back: nobody is asked, nothing is counted.
    /// - Throws: why it would be refused before.
    func imagine<Answer>(
        _ question: CacheQuestion, at origin: OwnOrigins.Origin, _ look: (Exchange, Route) throws(Problem) -> Answer
    ) throws(Problem) -> Answer {
        if ["OPTIONS", "TRACE", "CONNECT"].contains(question.method) {
            throw Problem(.methodNotAllowed, detail: "\(question.method) is nothing that the cache would be asked for.")
        }
        let exchange = takeExchange(for: UnsentRequest(address: question.client, isSecure: origin.isSecure))
        defer { giveBack(exchange) }
        if exchange.generation !== generation { exchange.generation = generation }
        exchange.body.isComplete = true
        try question.write(into: &exchange.request, asking: origin.authority)
        guard case .authorise = exchange.match(), case .enter = exchange.readParameters(), let route = exchange.route
        else { throw exchange.problem ?? Problem(.badRequest, detail: "That request has no route.") }
        return try look(exchange, route)
    }

    /// What a request would find now, by whatever name of the gateway it comes.
    func storedKeys(_ question: CacheQuestion) -> [CacheKey] {
        var keys: [CacheKey] = []
        for origin in question.origins(of: generation.table.ownOrigins) {
            let key = try? imagine(question, at: origin) { exchange, route throws(Problem) in
                route.cache.flatMap { exchange.lookUp(route, $0).entry?.key }
            }
            if let key = key.flatMap({ $0 }), !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// Whether anything is known of what a request asks for: stored, under way, or in vain.
    func knows(_ question: CacheQuestion, at origin: OwnOrigins.Origin) -> Bool {
        let isKnown = try? imagine(question, at: origin) { exchange, route throws(Problem) in
            guard let cache = route.cache else { return false }
            let lookup = exchange.lookUp(route, cache)
            let flight = exchange.flightKey(lookup.key, CacheAsks(exchange.request.fields))
            return lookup.entry != nil || desk.find(lookup.primary) != nil || desk.fillings[flight] != nil
                || desk.shared.isUnderWay(flight) || desk.notes.problem(lookup.key, now: now) != nil
        }
        return isKnown ?? false
    }
}
