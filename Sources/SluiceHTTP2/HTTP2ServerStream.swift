public import SluiceHTTP

/// One stream of an ``HTTP2ServerSession``: a request and its answer. Stream objects are reused.
///
/// A server derives a class of its own, which the session makes through `makeStream`.
open class HTTP2ServerStream: HTTP2SessionStream {
    /// Filled when the session reports the request; may be swapped for another head, whose memory is then reused.
    public final var request = RequestHead()
    /// The request has ended; no more of it will arrive.
    public internal(set) final var isRequestEnded = false

    /// Why the request is refused, once that is known.
    final var refusal: Refusal?
    final var isAnswerBegun = false

    final func open(_ id: Int32) {
        beginOutput(id)
        isRequestEnded = false
        refusal = nil
        isAnswerBegun = false
    }

    override final func reset() {
        request.reset()
        super.reset()
    }
}
