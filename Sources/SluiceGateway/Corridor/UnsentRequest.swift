internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The sink of an exchange that no client has begun: it walks far enough to find its route, and never to an answer.
final class UnsentRequest: AnswerSink {
    let client: ClientInfo

    init(client: ClientInfo) {
        self.client = client
    }

    convenience init(address: String, isSecure: Bool) {
        self.init(client: ClientInfo(address: Array(address.utf8), isTLS: isSecure))
    }

    func sendInterim(_ head: borrowing ResponseHead) {}
    func sendHead(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {}
    func sendHead(of entry: StoredResponse, now: UInt64) {}
    func openTunnel(_ fields: borrowing HeaderBlock) {}
    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {}
    func sendEnd() {}
    func sendEnd(trailers: borrowing HeaderBlock) {}
    func abortAnswer() {}
    func resumeRequestBody() {}
    func hasRoom() -> Bool { true }
}
