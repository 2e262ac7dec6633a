internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

extension AdminSocket {
    /// Takes an exchange for `question` as far as the step that consults the cache: no upstream is asked, nothing is
    /// counted.
    /// - Throws: why the request would be refused before that step.
    func imagine<Answer>(
        _ question: CacheQuestion, at origin: OwnOrigins.Origin, _ look: (Exchange, Route) throws(Problem) -> Answer
    ) throws(Problem) -> Answer {
        if ["OPTIONS", "TRACE", "CONNECT"].contains(question.method) {
            throw Problem(.methodNotAllowed, detail: "\(question.method) is nothing that the cache would be asked for.")
        }
        let exchange = corridor.takeExchange(
            for: UnsentRequest(address: question.client, isSecure: origin.isSecure))
        defer { corridor.giveBack(exchange) }
        if exchange.request.generation !== corridor.generation { exchange.request.generation = corridor.generation }
        exchange.request.body.isComplete = true
        try question.write(into: &exchange.request.head, asking: origin.authority)
        let omitted: [Step] = [.authorise, .admit, .watch, .enter, .checkBody]
        let reached = exchange.walk(.match, to: .consultCache, without: omitted)
        guard reached == .consultCache, let route = exchange.route else {
            throw exchange.problem ?? Problem(.badRequest, detail: "That request has no route.")
        }
        return try look(exchange, route)
    }

    /// The keys of the stored answers that a request would find now, under any of the gateway's names.
    func storedKeys(_ question: CacheQuestion) -> [CacheKey] {
        var keys: [CacheKey] = []
        for origin in question.origins(of: corridor.generation.table.ownOrigins) {
            let key = try? imagine(question, at: origin) { exchange, route throws(Problem) in
                route.cache.flatMap { loopCache.lookUp(exchange.request, route, $0).entry?.key }
            }
            if let key = key.flatMap({ $0 }), !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// Whether the cache knows anything of a request's answer: it is stored, being fetched, or has failed.
    func knows(_ question: CacheQuestion, at origin: OwnOrigins.Origin) -> Bool {
        let isKnown = try? imagine(question, at: origin) { exchange, route throws(Problem) in
            guard let cache = route.cache else { return false }
            let lookup = loopCache.lookUp(exchange.request, route, cache)
            let flight = exchange.request.flightKey(lookup, CacheAsks(exchange.request.head.fields))
            return lookup.entry != nil || loopCache.find(lookup.primary) != nil || loopCache.fills[flight] != nil
                || loopCache.shared.isUnderWay(flight)
                || loopCache.notes.problem(lookup.key, now: corridor.loop.now, loopCache.store.epochs) != nil
        }
        return isKnown ?? false
    }
}
