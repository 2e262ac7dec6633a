import HTTP2Wire
import SluiceContract
import SluiceHTTP
import TestBytes

@testable import SluiceHTTP2

/// Plays a client's bytes to a session and writes down what comes of it.
final class SessionScript {
    let session: HTTP2ServerSession
    let reader = HTTP2WireReader()
    /// One line for each event, content of one stream joined.
    private(set) var log: [String] = []
    /// What answers a request at once; nil leaves it open.
    var answer: ((HTTP2ServerSession, HTTP2ServerStream) -> Void)?
    /// Whether content is taken as it comes.
    var takesContent = true
    private var hasFailed = false
    private(set) var streams: [Int: HTTP2ServerStream] = [:]

    init(_ limits: Limits = Limits()) {
        session = HTTP2ServerSession(engine: HTTP2Engine(limits: HTTP2Limits(limits)), now: 1) { HTTP2ServerStream() }
    }

    func play(_ bytes: [UInt8], now: UInt64 = 1) {
        Cuts.lend(bytes[...]) { input in
            session.receive(input, now: now)
            handle()
            write()
        }
        if let fault = session.fault, !hasFailed {
            hasFailed = true
            log.append("fault \(fault)")
        }
    }

    func play(_ bytes: [UInt8], cutAt cut: Int) {
        play(Array(bytes[..<cut]))
        play(Array(bytes[cut...]))
    }

    func write() {
        var outbox = Outbox()
        repeat {
            session.write(into: &outbox, atMost: 1 << 20)
            handle()
        } while session.wantsWrite && session.hasProgress
        outbox.forEachRun { run, _ in reader.feed(run) }
    }

    private func handle() {
        while let event = session.nextEvent() { note(event) }
    }

    private func note(_ event: HTTP2ServerSession.Event) {
        switch event {
        case .request(let kept):
            let stream = kept.takeUnretainedValue()
            streams[Int(stream.id)] = stream
            log.append("\(stream.id) " + Self.text(stream))
            answer?(session, stream)
        case .refused(let kept, let refusal):
            log.append("\(kept.takeUnretainedValue().id) refused \(refusal.kind)")
        case .body(let kept, let bytes):
            let stream = kept.takeUnretainedValue()
            let text = String(decoding: bytes, as: UTF8.self)
            let prefix = "\(stream.id) body "
            if let last = log.last, last.hasPrefix(prefix) {
                log[log.count - 1] += text
            } else {
                log.append(prefix + text)
            }
            if takesContent { session.taken(bytes.count, of: stream) }
        case .end(let kept):
            let stream = kept.takeUnretainedValue()
            log.append("\(stream.id) end" + Self.lines(stream.trailers).map { " " + $0 }.joined())
        case .room(let kept): log.append("\(kept.takeUnretainedValue().id) room")
        case .closed(let kept):
            let stream = kept.takeUnretainedValue()
            log.append("\(stream.id) closed")
            session.forget(stream)
        case .pong: log.append("pong")
        }
    }

    private static func text(_ stream: HTTP2ServerStream) -> String {
        let method = String(decoding: stream.request.methodName, as: UTF8.self)
        let target = String(decoding: stream.request.target, as: UTF8.self)
        let authority = String(decoding: stream.request.authority, as: UTF8.self)
        return ([method, target, authority, "\(stream.request.framing)"] + lines(stream.request.fields))
            .joined(separator: " ")
    }

    private static func lines(_ fields: borrowing HeaderBlock) -> [String] {
        var lines: [String] = []
        for index in 0..<fields.count where !fields.isMarked(index) {
            lines.append(
                String(decoding: fields.name(index), as: UTF8.self) + ":"
                    + String(decoding: fields.value(index), as: UTF8.self))
        }
        return lines
    }
}

extension HTTP2ServerSession {
    /// A whole answer with a text.
    func respond(_ status: Int = 200, _ text: String = "", on stream: HTTP2ServerStream) {
        let fields = HeaderBlock()
        submitAnswer(
            status: status, fields, and: HeaderBlock(), contentLength: text.utf8.count, hasContent: !text.isEmpty,
            on: stream)
        if !text.isEmpty {
            Array(text.utf8).withUnsafeBytes { submitContent($0, isBorrowed: false, on: stream) }
            submitEnd(on: stream)
        }
    }
}
