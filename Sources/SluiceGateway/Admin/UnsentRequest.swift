internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The place of a client in an exchange that nobody has begun: it walks far enough to be known, and never to an answer.
final class UnsentRequest: AnswerSink {
    let client: ClientInfo

    init(address: String) {
        client = ClientInfo(address: Array(address.utf8))
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
        _ question: CacheQuestion, _ look: (Exchange, Route) throws(Problem) -> Answer
    ) throws(Problem) -> Answer {
        if ["OPTIONS", "TRACE", "CONNECT"].contains(question.method) {
            throw Problem(.methodNotAllowed, detail: "\(question.method) is nothing that the cache would be asked for.")
        }
        let exchange = takeExchange(for: UnsentRequest(address: question.client))
        defer { giveBack(exchange) }
        if exchange.generation !== generation { exchange.generation = generation }
        exchange.body.isComplete = true
        try question.write(into: &exchange.request)
        guard case .authorise = exchange.match(), case .enter = exchange.readParameters(), let route = exchange.route
        else { throw exchange.problem ?? Problem(.badRequest, detail: "That request has no route.") }
        return try look(exchange, route)
    }

    /// What a request would find now; nil where it would find nothing.
    func storedKey(_ question: CacheQuestion) -> CacheKey? {
        try? imagine(question) { exchange, route throws(Problem) in
            guard let cache = route.cache else { return nil }
            return exchange.lookUp(route, cache).entry?.key
        }
    }
}
