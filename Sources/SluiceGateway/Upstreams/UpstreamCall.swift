internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A request on its way to an upstream and the answer to it, as whatever carries them sees it: a ``UpstreamLink`` or a
/// ``HTTP2UpstreamStream``. What it is for, they need not know; ``Fetch`` does.
class UpstreamCall {
    /// Counted: see ``Link``.
    final let loop: LoopContext
    final var response = ResponseHead()
    final var trailers = HeaderBlock()
    /// Taken from its pool, which keeps it until it gives itself back.
    final var isAtWork = false

    init(loop: LoopContext) {
        self.loop = loop
    }

    // MARK: - The request

    /// What a carrier has to know of the request beside its bytes.
    struct Outline {
        let method: Method
        /// The request asks for another protocol.
        let opensTunnel: Bool
        /// More follows its head.
        let hasContent: Bool
    }

    var outline: Outline { preconditionFailure("a call without a request") }

    /// Writes the request's head for HTTP/1.1.
    func writeHead(into out: inout Outbox) {}

    /// Writes the request's head for HTTP/2: into the field list of a session, which copies it when it is submitted.
    /// - Parameter lines: memory for lines of HTTP/1.1, which are taken apart again where they stand.
    func writeHead(to session: HTTP2ClientSession, _ lines: inout Outbox) {}

    // MARK: - Facts

    /// The connection, or a stream of it, is ours and ready.
    /// - Returns: whether it is taken; if not, nothing has been sent on it.
    func leased(_ carrier: UpstreamCarrier) -> Bool { false }

    /// Whether a request that was not sent when its carrier was there may be sent now.
    var isSendable: Bool { true }

    /// The connection that was to be ours, or one of many's, speaks another version of HTTP.
    func leaseAgain() {}

    /// There is room for a connection of our own.
    func open(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {}

    /// An interim answer is in ``response``.
    func interimReceived() {}

    /// The head of the answer is in ``response``.
    func responseReceived() {}

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {}

    /// The answer has arrived whole; the connection is back in the pool.
    func responseEnded() {}

    /// The carrier takes more of the request.
    func upstreamDrained() {}

    /// The input that is borrowed from is about to be used again.
    func settle() {}

    /// The connection is gone before the answer was complete.
    /// - Parameters:
    ///   - problem: why; nil where the peer has closed it.
    ///   - isReused: it has served before, so that its peer may have closed it meanwhile, unseen.
    ///   - isUnprocessed: the upstream has said that it did not begin to process the request.
    func linkLost(_ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool, isUnprocessed: Bool) {}

    final func linkLost(_ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool) {
        linkLost(
            problem, isReused: isReused, hadFirstByte: hadFirstByte, wasConnecting: wasConnecting,
            isUnprocessed: false)
    }

    /// A part that the answer cannot do without has failed.
    func partsFailed(_ problem: Problem) {}
    // MARK: - In the place of an upstream

    /// The request is whole: what answers it?
    /// - Parameter body: of the request; nil where it is longer than what is compared.
    func standIn(for body: [UInt8]?) -> StandIn { .elsewhere }

    /// The head of an answer that no upstream has sent is in ``response``.
    func standInReceived() {}

    /// A value that is proven; its status and fields are in ``response``.
    func valueReceived(_ bytes: [UInt8]) {}

    func refused(_ problem: Problem) {}

    /// The stream has ended before the answer was complete, while its connection goes on.
    func streamLost(_ end: HTTP2ClientStream.End, hadFirstByte: Bool) {}
}
