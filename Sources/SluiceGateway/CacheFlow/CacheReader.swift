internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A client's exchange, as the cache sees it: it is answered from a stored entry, or from a fill.
///
/// A class and no protocol, for the reasons of ``FetchConsumer``.
class CacheReader: CacheConsumer, Resumable {
    /// What goes to its client.
    final let answer: ClientAnswer

    override init(_ request: BoundRequest, in loopCache: LoopCache) {
        answer = ClientAnswer(loopCache.loop)
        super.init(request, in: loopCache)
    }

    final override func join(_ response: borrowing ResponseHead) { answer.join(response) }

    /// Consults the cache again: the answer that it waited for is not for it.
    func consultAgain() {}

    /// Tells its client that the answer is still being fetched.
    func answerLoading() {}

    /// The wait that its client asked for (`Prefer: wait`) was respected.
    func noteWait(_ seconds: String) {}

    /// Asks the upstream itself: the answer that it waited for is not for it.
    func askUpstream() {}

    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) { carryOut() }
}
