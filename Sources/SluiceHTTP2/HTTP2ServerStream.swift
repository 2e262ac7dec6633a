public import SluiceHTTP

/// One stream of an ``HTTP2ServerSession``: a request and its answer. Streams are used again.
///
/// A server derives a class of its own, which the session makes through `makeStream`.
open class HTTP2ServerStream: HTTP2SessionStream {
    /// Filled when the session tells of the request; may be swapped for another, whose memory is then used again.
    public final var request = RequestHead()
    /// Nothing more of the request will come.
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
