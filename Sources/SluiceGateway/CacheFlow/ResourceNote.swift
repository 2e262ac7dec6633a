internal import SluiceContract

/// That a fill's own request is on its way, on the ``ResourceBoard``, until it is known what has come of it.
struct ResourceNote {
    private var ticket: ResourceBoard.Ticket?

    mutating func begin(_ route: Route, _ asked: BoundRequest, in loopCache: LoopCache) {
        let target = LocalTarget.bytes(of: route, for: asked)
        ticket = loopCache.shared.resources.begin(route.binding.name, target, at: loopCache.loop.now)
    }

    /// It has come to something: an answer, or a problem.
    mutating func end(_ problem: Problem?, in loopCache: LoopCache) {
        guard let ticket = ticket.take() else { return }
        loopCache.shared.resources.end(ticket, problem, at: loopCache.loop.unixSeconds)
    }

    /// What there is to be said before the end of an answer.
    mutating func answered(_ status: Int, in loopCache: LoopCache) {
        switch status {
        // What is stored is right.
        case 304: end(nil, in: loopCache)
        case 500...:
            let detail = "It answered with status \(status)."
            end(Problem(.upstreamError, status: status, detail: detail), in: loopCache)
        default: break
        }
    }

    /// Nobody waits for it any more.
    mutating func forget(in loopCache: LoopCache) {
        if let ticket = ticket.take() { loopCache.shared.resources.forget(ticket) }
    }
}
