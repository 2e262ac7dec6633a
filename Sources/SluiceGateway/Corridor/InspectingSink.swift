internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Records what is sent to the client, for inspection.
final class InspectingSink: AnswerSink {
    private let sink: any AnswerSink
    private let contents: ExchangeContents
    private let version: HTTPVersion
    /// The bytes belong to a tunnel, not to a body.
    private var isTunnel = false

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
        var bytes: [UInt8] = []
        head.forEachRun { run, _ in bytes += run }
        bytes.withUnsafeBytes { contents.take(head: $0, into: contents.answer) }
        sink.sendHead(of: entry, now: now)
    }

    func join(_ response: borrowing ResponseHead) { sink.join(response) }

    func openTunnel(_ fields: borrowing HeaderBlock) {
        contents.take(line(version == .http2 ? 200 : 101, .empty), fields, into: contents.answer)
        isTunnel = true
        sink.openTunnel(fields)
    }

    private func line(_ status: Int, _ reason: UnsafeRawBufferPointer) -> String {
        let text = reason.isEmpty ? "\(StatusReason.phrase(for: status))" : String(decoding: reason, as: UTF8.self)
        return "\(version.text) \(status) \(text)"
    }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        keep(run)
        sink.sendBody(run, lifetime: lifetime)
    }

    func sendBody(moving held: inout Outbox) {
        held.forEachRun { run, _ in keep(run) }
        sink.sendBody(moving: &held)
    }

    private func keep(_ run: UnsafeRawBufferPointer) {
        if isTunnel { contents.answer.pass(run.count) } else { contents.take(body: run, into: contents.answer) }
    }

    func sendEnd() { sink.sendEnd() }
    func sendEnd(trailers: borrowing HeaderBlock) {
        contents.take(trailers, into: contents.answer)
        sink.sendEnd(trailers: trailers)
    }
    func abortAnswer() { sink.abortAnswer() }
    func resumeRequestBody() { sink.resumeRequestBody() }
    func hasRoom() -> Bool { sink.hasRoom() }
    var client: ClientInfo { sink.client }
    var unsentBytes: Int? { sink.unsentBytes }
}
