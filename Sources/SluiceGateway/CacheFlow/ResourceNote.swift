internal import SluiceContract

/// A fill's note on the ``ResourceBoard`` that its request is in progress, until the outcome is known.
struct ResourceNote {
    private var ticket: ResourceBoard.Ticket?

    mutating func begin(_ route: Route, _ asked: BoundRequest, in loopCache: LoopCache) {
        let target = LocalTarget.bytes(of: route, for: asked)
        ticket = loopCache.shared.resources.begin(route.binding.name, target, at: loopCache.loop.now)
    }

    /// The request has ended with an answer, or a problem.
    mutating func end(_ problem: Problem?, in loopCache: LoopCache) {
        guard let ticket = ticket.take() else { return }
        loopCache.shared.resources.end(ticket, problem, at: loopCache.loop.unixSeconds)
    }

    /// Notes what the status tells before the answer ends.
    mutating func answered(_ status: Int, in loopCache: LoopCache) {
        switch status {
        // The stored answer is still right.
        case 304: end(nil, in: loopCache)
        case 500...:
            let detail = "It answered with status \(status)."
            end(Problem(.upstreamError, status: status, detail: detail), in: loopCache)
        default: break
        }
    }

    /// The request was given up.
    mutating func forget(in loopCache: LoopCache) {
        if let ticket = ticket.take() { loopCache.shared.resources.forget(ticket) }
    }
}
