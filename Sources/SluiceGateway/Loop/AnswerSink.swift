internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Where the answer of an exchange goes: a whole connection in HTTP/1.1, one stream of many in HTTP/2.
///
/// Calls come in this order: interim answers, one head, body, end; or `abortAnswer` at any point.
protocol AnswerSink: AnyObject {
    /// A 1xx answer (RFC 9110 §15.2); left out towards clients that cannot take it.
    func sendInterim(_ head: borrowing ResponseHead)
    /// Fields that are marked stay behind; the sink adds what frames the message and what its connection needs.
    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming)
    /// The head of a stored answer to a request that asks nothing in particular.
    func sendHead(of entry: StoredResponse, now: UInt64)
    /// The answer that has begun is made of this response, too; only one that is kept for others has to know.
    func join(_ response: borrowing ResponseHead)
    /// The upstream has switched protocols: what follows in either direction are bytes of a tunnel. Fields that are
    /// marked stay behind; the sink says in its protocol's words that the tunnel is open (101, or RFC 8441 §5).
    func openTunnel(_ fields: borrowing HeaderBlock)
    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime)
    /// All that waits in `held`, which is empty afterwards; what it borrows is borrowed on.
    func sendBody(moving held: inout Outbox)
    /// The answer is complete.
    func sendEnd()
    func sendEnd(trailers: borrowing HeaderBlock)
    /// The answer cannot be completed; the client has to be able to tell (RFC 9112 §8).
    func abortAnswer()
    /// The exchange can take the request's body now, or more of it.
    func resumeRequestBody()
    /// Whether the client takes more at present; if not, the exchange is told once it does.
    func hasRoom() -> Bool
    var client: ClientInfo { get }
    /// Whether the client's connection is one of TLS.
    var isSecure: Bool { get }
    /// Bytes that wait for the client; nil where that is not known of this exchange alone.
    var unsentBytes: Int? { get }
}

extension AnswerSink {
    var unsentBytes: Int? { nil }
    var isSecure: Bool { client.isTLS }
    func join(_ response: borrowing ResponseHead) {}
}

extension StoredResponse {
    /// As it is stored, with what tells how old it is.
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

/// How long the bytes of a run stay where they are.
enum RunLifetime {
    /// Until the touched links have been drained: they are in the input.
    case drain
    /// Only as long as the call lasts.
    case call
}

extension Extractor.Piece {
    /// A run of the chunk that was fed stays until the touched links have been drained; one of the engine's own, such
    /// as a token that was cut, only until the engine is fed again.
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
    /// Known only when it is over.
    case stream
}
