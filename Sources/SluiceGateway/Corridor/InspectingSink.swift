internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Keeps what goes to the client, on its way there.
final class InspectingSink: AnswerSink {
    private let sink: any AnswerSink
    private let contents: ExchangeContents
    private let version: HTTPVersion

    init(_ sink: any AnswerSink, _ contents: ExchangeContents, _ version: HTTPVersion) {
        self.sink = sink
        self.contents = contents
        self.version = version
    }

    func sendInterim(_ head: borrowing ResponseHead) { sink.sendInterim(head) }

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        contents.take(line(status, reason), fields, into: contents.answer)
        sink.sendHead(status: status, reason: reason, fields: fields, framing: framing)
    }

    func sendHead(of entry: StoredResponse, now: UInt64) {
        var head = Outbox()
        entry.writeHead(now: now, into: &head)
        contents.take(head: head.firstRun, into: contents.answer)
        sink.sendHead(of: entry, now: now)
    }

    func openTunnel(_ fields: borrowing HeaderBlock) {
        contents.take(line(version == .http2 ? 200 : 101, .empty), fields, into: contents.answer)
        sink.openTunnel(fields)
    }

    private func line(_ status: Int, _ reason: UnsafeRawBufferPointer) -> String {
        let text = reason.isEmpty ? "\(StatusReason.phrase(for: status))" : String(decoding: reason, as: UTF8.self)
        return "\(version.text) \(status) \(text)"
    }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        contents.take(body: run, into: contents.answer)
        sink.sendBody(run, lifetime: lifetime)
    }

    func sendBody(moving held: inout Outbox) {
        held.forEachRun { run, _ in contents.take(body: run, into: contents.answer) }
        sink.sendBody(moving: &held)
    }

    func sendEnd() { sink.sendEnd() }
    func sendEnd(trailers: borrowing HeaderBlock) { sink.sendEnd(trailers: trailers) }
    func abortAnswer() { sink.abortAnswer() }
    func resumeRequestBody() { sink.resumeRequestBody() }
    func hasRoom() -> Bool { sink.hasRoom() }
    var client: ClientInfo { sink.client }
    var isSecure: Bool { sink.isSecure }
    var unsentBytes: Int? { sink.unsentBytes }
}
