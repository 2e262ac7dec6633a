internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Sends the answer of an exchange: over a whole connection in HTTP/1.1, over one stream of many in HTTP/2.
///
/// Calls come in this order: interim answers, one head, body, end; or `abortAnswer` at any point.
protocol AnswerSink: AnyObject {
    /// A 1xx answer (RFC 9110 §15.2); not sent to clients that cannot handle it.
    func sendInterim(_ head: borrowing ResponseHead)
    /// Marked fields are left out; the sink adds those that frame the message and those that its connection needs.
    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming)
    /// The head of a stored answer to a request without conditions, directives or a range.
    func sendHead(of entry: StoredResponse, now: UInt64)
    /// The answer that has begun is made of this response, too; matters only to a sink that stores it.
    func join(_ response: borrowing ResponseHead)
    /// The upstream has switched protocols: from here on, bytes of a tunnel pass in both directions. Marked fields are
    /// left out; the sink tells the client that the tunnel is open, by a 101 or a 2xx (RFC 8441 §5).
    func openTunnel(_ fields: borrowing HeaderBlock)
    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime)
    /// All bytes in `held`, which is empty afterwards; borrowed bytes stay borrowed.
    func sendBody(moving held: inout Outbox)
    /// The answer is complete.
    func sendEnd()
    func sendEnd(trailers: borrowing HeaderBlock)
    /// The answer cannot be completed; the client has to notice that it is incomplete (RFC 9112 §8).
    func abortAnswer()
    /// The exchange can take the request's body now, or more of it.
    func resumeRequestBody()
    /// Whether more can be sent to the client now; if not, the exchange is told once it can.
    func hasRoom() -> Bool
    var client: ClientInfo { get }
    /// Bytes that wait for the client; nil where they cannot be counted for this exchange alone.
    var unsentBytes: Int? { get }
}

extension AnswerSink {
    var unsentBytes: Int? { nil }
    func join(_ response: borrowing ResponseHead) {}
}

extension StoredResponse {
    /// The head as it is stored, with the answer's age.
    func writeHead(now: UInt64, into outbox: inout Outbox) {
        let age = age(now)
        HTTP1Writer.statusLine(status: status, into: &outbox)
        outbox.append(lines)
        if status != 204 { HTTP1Writer.field(.contentLength, decimal: bodyCount, into: &outbox) }
        outbox.append("Age: ")
        outbox.append(decimal: age)
        outbox.append("\r\nCache-Status: sluice; hit; ttl=")
        outbox.append(decimal: lifetime - age)
        outbox.append("\r\n")
    }
}

extension AnswerSink {
    func sendBody(moving held: inout Outbox) {
        held.forEachRun { run, isBorrowed in sendBody(run, lifetime: isBorrowed ? .drain : .call) }
        held.removeAll()
    }
}

/// How long the bytes of a run stay valid in place.
enum RunLifetime {
    /// Until the touched links have been drained: they are in the input buffer.
    case drain
    /// Only as long as the call lasts.
    case call
}

extension Extractor.Piece {
    /// A run inside the chunk that was fed stays valid until the touched links have been drained; one in the
    /// extractor's own memory, such as a token that was split, only until the extractor is fed again.
    func lifetime(in chunk: UnsafeRawBufferPointer) -> RunLifetime {
        guard let start = chunk.baseAddress else { return .call }
        return base >= start && base < start + chunk.count ? .drain : .call
    }
}

/// How an answer's body ends.
enum AnswerFraming {
    /// There is no body: 204, 304, or an answer to HEAD, which may announce the length that GET would have.
    case empty(announcing: Int?)
    case length(Int)
    /// The length is known only at the end.
    case stream
}
