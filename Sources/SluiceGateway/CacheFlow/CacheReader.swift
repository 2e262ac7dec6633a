internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A client's exchange, as the cache sees it: its answer is what is stored, or what is on its way into the cache.
///
/// A class and no protocol, for the reasons of ``FetchConsumer``.
class CacheReader: FetchConsumer, Resumable {
    /// Counted: see ``Link``.
    final let loop: LoopContext
    /// What goes to its client.
    final let answer: ClientAnswer

    init(_ request: BoundRequest, on loop: LoopContext) {
        self.loop = loop
        answer = ClientAnswer(loop)
        super.init(request)
    }

    final override func join(_ response: borrowing ResponseHead) { answer.join(response) }

    /// What it has waited for is nothing for it: the cache is consulted again.
    func consultAgain() {}

    /// What it has waited for is still on its way, and its client is told so.
    func answerLoading() {}

    /// It has not waited for longer than its client wants to (`Prefer: wait`).
    func noteWait(_ seconds: String) {}

    /// What it has waited for is nothing for it, and it asks the upstream itself.
    func askUpstream() {}

    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) { carryOut() }
}
