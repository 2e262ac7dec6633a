internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A request to an upstream and its answer, as their carrier sees them: an ``UpstreamLink`` or an
/// ``HTTP2UpstreamStream``. The subclass knows what the call is for, as ``Fetch`` does.
class UpstreamCall {
    /// Reference-counted: see ``Link``.
    final let loop: LoopContext
    final var response = ResponseHead()
    final var trailers = HeaderBlock()
    /// Taken from its pool, which keeps it alive until it gives itself back.
    final var isAtWork = false

    init(loop: LoopContext) {
        self.loop = loop
    }

    // MARK: - The request

    /// The facts about a request that a carrier needs beside its bytes.
    struct Outline {
        let method: Method
        /// The request asks for another protocol.
        let opensTunnel: Bool
        /// A body follows the head.
        let hasContent: Bool
    }

    var outline: Outline { preconditionFailure("a call without a request") }

    /// Writes the request's head for HTTP/1.1.
    func writeHead(into out: inout Outbox) {}

    /// Writes the request's head for HTTP/2 into the field list of a session, which copies it when it is submitted.
    /// - Parameter lines: memory for HTTP/1.1 field lines, which are split in place.
    func writeHead(to session: HTTP2ClientSession, _ lines: inout Outbox) {}

    // MARK: - Facts

    /// The call has got a connection, or a stream of one, and it is ready.
    /// - Returns: whether the call takes it; if not, nothing has been sent on it.
    func leased(_ carrier: UpstreamCarrier) -> Bool { false }

    /// Whether a request that was not sent when it got its carrier may be sent now.
    var isSendable: Bool { true }

    /// The connection that the call waited for speaks another version of HTTP: the call has to lease again.
    func leaseAgain() {}

    /// There is room for a new connection, which the call opens.
    func open(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {}

    /// An interim answer is in ``response``.
    func interimReceived() {}

    /// The head of the answer is in ``response``.
    func responseReceived() {}

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {}

    /// The answer has arrived completely; the connection is back in the pool.
    func responseEnded() {}

    /// The carrier has room for more of the request.
    func upstreamDrained() {}

    /// The input buffer that held bytes are borrowed from is about to be reused.
    func settle() {}

    /// The connection is lost before the answer was complete.
    /// - Parameters:
    ///   - problem: why; nil where the peer has closed it.
    ///   - isReused: it has served before, so that its peer may have closed it just now.
    ///   - isUnprocessed: the upstream has said that it did not begin to process the request.
    func linkLost(_ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool, isUnprocessed: Bool) {}

    final func linkLost(_ problem: Problem?, isReused: Bool, hadFirstByte: Bool, wasConnecting: Bool) {
        linkLost(
            problem, isReused: isReused, hadFirstByte: hadFirstByte, wasConnecting: wasConnecting,
            isUnprocessed: false)
    }

    /// A part that the composed answer requires has failed.
    func partsFailed(_ problem: Problem) {}
    // MARK: - In the place of an upstream

    /// The answer to the request, which is complete.
    /// - Parameter body: the request's body; nil where it is longer than the comparison limit.
    func standIn(for body: [UInt8]?) -> StandIn { .elsewhere }

    /// The head of a fixture's answer is in ``response``.
    func standInReceived() {}

    /// A value that is known to be valid; its status and fields are in ``response``.
    func valueReceived(_ bytes: [UInt8]) {}

    func refused(_ problem: Problem) {}

    /// The stream has ended before the answer was complete, while its connection goes on.
    func streamLost(_ end: HTTP2ClientStream.End, hadFirstByte: Bool) {}
}
