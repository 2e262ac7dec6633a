public import SluiceHTTP

/// One stream of an ``HTTP2ClientSession``: a request and its response. Stream objects are reused.
///
/// The code that sends requests derives a class of its own.
open class HTTP2ClientStream: HTTP2SessionStream {
    /// Filled when the session reports the response; may be swapped for another head, whose memory is then reused.
    public final var response = ResponseHead()
    /// The whole response has been received.
    public internal(set) final var isResponseEnded = false
    /// A field section of the response has begun to arrive.
    public internal(set) final var hasFirstByte = false

    final var method = Method.other
    final var interimCount = 0
    /// Why the response is malformed; nil where it is not.
    final var fault: StaticString?
    /// The request's head has been written to the outbox.
    final var isSent = false
    /// Why the peer has reset the stream.
    final var peerCode: UInt32?
    final var end = End.done
    /// Interim responses that have not been consumed.
    private final var interims: [InterimHead] = []

    private final class InterimHead {
        var head = ResponseHead()
    }

    /// How a stream has ended.
    public enum End: Equatable, Sendable {
        /// The response was complete, or was no longer wanted.
        case done
        /// The response is malformed (RFC 9113 §8.1.1).
        case malformed(String)
        /// The peer has not begun to process the request: the request may be sent again, whatever its method (RFC 9113
        /// §8.7).
        case unprocessed
        /// The request fields are larger than the peer accepts, `most` bytes; nothing was sent.
        case fieldsTooLarge(most: Int)
        /// The peer has reset the stream (RFC 9113 §7).
        case reset(UInt32)
    }

    /// Swaps the next interim response into `head`.
    public final func takeInterim(_ head: inout ResponseHead) {
        if interims.isEmpty { return }
        let next = interims.removeFirst()
        swap(&next.head, &head)
    }

    final func keepInterim() {
        let interim = InterimHead()
        swap(&interim.head, &response)
        interims.append(interim)
    }

    final func open(_ id: Int32, _ method: Method) {
        beginOutput(id)
        self.method = method
        isResponseEnded = false
        hasFirstByte = false
        interimCount = 0
        fault = nil
        isSent = false
        peerCode = nil
        end = .done
    }

    override final func reset() {
        response.reset()
        if !interims.isEmpty { interims.removeAll() }
        super.reset()
    }
}
