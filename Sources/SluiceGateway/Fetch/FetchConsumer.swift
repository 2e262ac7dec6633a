internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What a fetch is for: an exchange, which has a client, or a cache fill. It has the request, and hears of the answer
/// in this order: interim answers, one head, body, end; or a failure at any point.
///
/// A class and no protocol: what both have is stored here, and a call of it is one of a class's method table.
class FetchConsumer {
    final let request: BoundRequest
    /// Kept by its pool while it is at work.
    final var borrowedFetch: Borrowed<Fetch>?
    final var fetch: Fetch? { borrowedFetch?.object }
    /// How long upstreams are at work for it.
    final var upstreamTime = UpstreamTime()
    /// Its answer goes on until somebody leaves: how long that takes says nothing of the gateway or the upstream.
    final var isAnswerEndless = false

    init(_ request: BoundRequest) {
        self.request = request
    }

    /// It is used again, for another request.
    final func forgetAnswer() {
        upstreamTime = UpstreamTime()
        isAnswerEndless = false
    }

    // MARK: - The request

    /// The upstream takes the request's body, or more of it.
    func resumeBody() {}

    /// A client that waits with its body for `100 Continue` is told to go on.
    func sendContinue() {}

    // MARK: - The answer

    /// Whether no head of an answer has been handed on.
    var isUnanswered: Bool { false }

    func interim(_ head: borrowing ResponseHead) {}

    /// A response that the answer is made of, beside the one to the request as it was made, and before anything of it
    /// is handed on: a redirect that is followed, what stands at its end, a page behind the first. Or an error that is
    /// told as a problem. The request's target is still that of the response.
    final func noteSource(_ response: borrowing ResponseHead, _ route: Route) {
        depend(on: response.fields, route)
        join(response)
    }

    /// The answer depends on the one to the request's present target, and on the groups in these fields of it: a
    /// redirect is followed there, or it is another page.
    func depend(on fields: borrowing HeaderBlock, _ route: Route) {}

    /// What another response says of being stored counts for the answer, too.
    func join(_ response: borrowing ResponseHead) {}

    /// The head of an answer has arrived, and its treatment is decided; no field has been changed yet.
    func upstreamAnswered(_ response: inout ResponseHead, _ route: Route) {}

    /// A head of what passes through, before it is handed on: it may bring a stored answer up to date.
    func noteUntouched(_ response: borrowing ResponseHead, _ route: Route) {}

    /// The value of a change that the upstream has accepted, all of it, before it is handed on (`then: {update: …}`).
    func proved(_ value: [UInt8]) {}

    /// Chooses a coding for a checked answer that is about to be handed on.
    func negotiateCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {}

    /// - Parameter fields: those that are marked stay behind.
    func answer(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {}

    func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {}

    final func answerBody(_ run: UnsafeRawBufferPointer) { answerBody(run, lifetime: .drain) }

    /// All that waits in `held`, which is empty afterwards; what it borrows is borrowed on.
    func answerBody(moving held: inout Outbox) {}

    func answerEnd() {}

    func answerEnd(trailers: borrowing HeaderBlock) {}

    /// The upstream has switched protocols.
    func openTunnel(_ fields: borrowing HeaderBlock) {}

    /// There is no answer, or no more of it; the fetch is over.
    func fetchFailed(_ problem: Problem) {
        borrowedFetch = nil
        fail(problem)
    }

    /// Nothing more is wanted of the fetch, if there is one.
    final func cancelFetch() {
        guard let fetch else { return }
        borrowedFetch = nil
        fetch.cancel()
    }

    // MARK: - Its pace

    /// Bytes that wait for the client; nil where that is not known of this one alone.
    var unsentBytes: Int? { nil }

    /// Nothing has moved for as long as it may: of several that read one answer, those are let go that the others wait
    /// for.
    /// - Returns: whether there are any.
    func letGoOfLaggards() -> Bool { false }

    /// The client takes too little, and is given up; so is the fetch.
    func fail(_ problem: Problem) {}

    // MARK: - Other values of the same answer

    /// Whether another binding's value of this answer is wanted, too (``SiblingGroup``).
    var hasSiblings: Bool { false }

    /// The document is there, and each value in it is proven or not.
    func share(_ slices: SharedSlices, of extractor: Extractor, upstream: String, _ response: borrowing ResponseHead) {}
}
