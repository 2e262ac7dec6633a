import HTTP2Wire
import SluiceContract
import SluiceHTTP
import TestBytes

@testable import SluiceHTTP2

/// Plays a server's bytes to a client's session and writes down what comes of it.
final class ClientSessionScript {
    let session: HTTP2ClientSession
    let reader = HTTP2WireReader()
    /// One line for each event, content of one stream joined.
    private(set) var log: [String] = []
    private(set) var streams: [Int: HTTP2ClientStream] = [:]
    /// What became of the last request.
    private(set) var submitted = HTTP2ClientSession.Submission.opened
    private var hasFailed = false
    private var isGreeted = false

    init(_ limits: Limits = Limits()) {
        session = HTTP2ClientSession(engine: HTTP2Engine(limits: HTTP2Limits(towardsUpstreams: limits)), now: 1)
    }

    /// - Parameter isWritten: else it waits for the next bytes that go out.
    @discardableResult
    func request(_ method: Method = .get, content: String? = nil, isWritten: Bool = true) -> HTTP2ClientStream {
        let stream = HTTP2ClientStream()
        let name = UnsafeRawBufferPointer(method.name)
        let authority = UnsafeRawBufferPointer("fruit.example" as StaticString)
        session.beginRequest(
            method: name, isSecure: false, authority: authority, path: UnsafeRawBufferPointer("/" as StaticString))
        submitted = session.submitRequest(method, hasContent: content != nil, on: stream)
        guard submitted == .opened else { return stream }
        streams[Int(stream.id)] = stream
        if let content {
            Array(content.utf8).withUnsafeBytes { session.submitContent($0, isBorrowed: false, on: stream) }
            session.submitEnd(on: stream)
        }
        if isWritten { write() }
        return stream
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

    func write() {
        var outbox = Outbox()
        repeat {
            session.write(into: &outbox, atMost: 1 << 20)
            handle()
        } while session.wantsWrite && session.hasProgress
        var bytes: [UInt8] = []
        outbox.forEachRun { run, _ in bytes += run }
        if !isGreeted, !bytes.isEmpty {
            isGreeted = true
            bytes.removeFirst(HTTP2Wire.magic.count)
        }
        reader.feed(bytes)
    }

    private func handle() {
        while let event = session.nextEvent() { note(event) }
    }

    private func note(_ event: HTTP2ClientSession.Event) {
        switch event {
        case .interim(let stream):
            var head = ResponseHead()
            stream.takeInterim(&head)
            log.append("\(stream.id) interim \(head.status)" + Self.lines(head.fields).map { " " + $0 }.joined())
        case .response(let stream):
            let head = "\(stream.id) \(stream.response.status) \(stream.response.framing)"
            log.append(head + Self.lines(stream.response.fields).map { " " + $0 }.joined())
        case .body(let stream, let bytes):
            let prefix = "\(stream.id) body "
            let text = String(decoding: bytes, as: UTF8.self)
            if let last = log.last, last.hasPrefix(prefix) {
                log[log.count - 1] += text
            } else {
                log.append(prefix + text)
            }
            session.taken(bytes.count, of: stream)
        case .end(let stream):
            log.append("\(stream.id) end" + Self.lines(stream.trailers).map { " " + $0 }.joined())
        case .room(let stream): log.append("\(stream.id) room")
        case .closed(let stream, let end):
            switch end {
            case .malformed: log.append("\(stream.id) malformed")
            default: log.append("\(stream.id) closed \(end)")
            }
            session.forget(stream)
        case .settings: log.append("settings \(session.streamsMax)")
        case .goaway: log.append("goaway")
        case .pong: log.append("pong")
        }
    }

    private static func lines(_ fields: borrowing HeaderBlock) -> [String] {
        var lines: [String] = []
        for index in 0..<fields.count {
            lines.append(
                String(decoding: fields.name(index), as: UTF8.self) + ":"
                    + String(decoding: fields.value(index), as: UTF8.self))
        }
        return lines
    }
}
