internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The owner of a fetch: an exchange, which has a client, or a cache fill. It has the request, and receives the answer
/// in this order: interim answers, one head, body, end; or a failure at any point.
///
/// A class rather than a protocol: it stores what both have in common, and its methods are called through a class's
/// method table.
class FetchConsumer {
    final let request: BoundRequest
    /// Kept alive by its pool while it is at work.
    final var borrowedFetch: Borrowed<Fetch>?
    final var fetch: Fetch? { borrowedFetch?.object }
    /// How long upstreams have worked for it.
    final var upstreamTime = UpstreamTime()
    /// The answer lasts until the client or the upstream ends it: its duration says nothing about the gateway or the
    /// upstream.
    final var isAnswerEndless = false

    init(_ request: BoundRequest) {
        self.request = request
    }

    /// Resets the consumer for another request.
    final func forgetAnswer() {
        upstreamTime = UpstreamTime()
        isAnswerEndless = false
    }

    // MARK: - The request

    /// The upstream has room for the request's body, or more of it.
    func resumeBody() {}

    /// A client that waits with its body for `100 Continue` is told to go on.
    func sendContinue() {}

    // MARK: - The answer

    /// Whether no head of an answer has been handed on.
    var isUnanswered: Bool { false }

    func interim(_ head: borrowing ResponseHead) {}

    /// Notes a response that the answer is made of, beside the one to the original request, before any of it is handed
    /// on: a redirect that is followed, the answer of its target, a page after the first, or an error that is mapped to
    /// a problem. The request's target is still the one of that response.
    final func noteSource(_ response: borrowing ResponseHead, _ route: Route) {
        depend(on: response.fields, route)
        join(response)
    }

    /// The answer depends on the request's present target, and on the cache groups in these fields: a redirect has been
    /// followed there, or it is another page.
    func depend(on fields: borrowing HeaderBlock, _ route: Route) {}

    /// The caching directives of another response count for the answer, too.
    func join(_ response: borrowing ResponseHead) {}

    /// The head of an answer has arrived, and its treatment is decided; no field has been changed yet.
    func upstreamAnswered(_ response: inout ResponseHead, _ route: Route) {}

    /// The head of an answer that is passed through, before it is handed on: it may update a stored answer.
    func noteUntouched(_ response: borrowing ResponseHead, _ route: Route) {}

    /// The whole value of a change that the upstream has accepted, before it is handed on (`then: {update: …}`).
    func proved(_ value: [UInt8]) {}

    /// Chooses a coding for a checked answer that is about to be handed on.
    func negotiateCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {}

    /// - Parameter fields: marked fields are left out.
    func answer(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {}

    func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {}

    final func answerBody(_ run: UnsafeRawBufferPointer) { answerBody(run, lifetime: .drain) }

    /// All bytes in `held`, which is empty afterwards; borrowed bytes stay borrowed.
    func answerBody(moving held: inout Outbox) {}

    func answerEnd() {}

    func answerEnd(trailers: borrowing HeaderBlock) {}

    /// The upstream has switched protocols.
    func openTunnel(_ fields: borrowing HeaderBlock) {}

    /// No answer will come, or no more of it; the fetch is over.
    func fetchFailed(_ problem: Problem) {
        borrowedFetch = nil
        fail(problem)
    }

    /// Cancels the fetch, if there is one.
    final func cancelFetch() {
        guard let fetch else { return }
        borrowedFetch = nil
        fetch.cancel()
    }

    // MARK: - Its pace

    /// Bytes that wait for the client; nil where they cannot be counted for this client alone.
    var unsentBytes: Int? { nil }

    /// No bytes have moved for as long as is allowed. Where several clients read one answer, those that the others wait
    /// for are dropped.
    /// - Returns: whether any was dropped.
    func letGoOfLaggards() -> Bool { false }

    /// The client reads too slowly; its exchange and the fetch fail.
    func fail(_ problem: Problem) {}

    // MARK: - Other values of the same answer

    /// Whether another binding's value of this answer is wanted, too (``SiblingGroup``).
    var hasSiblings: Bool { false }

    /// The document has ended; hands over the value of each sibling, or the fault in it.
    func share(_ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead) {}
}
