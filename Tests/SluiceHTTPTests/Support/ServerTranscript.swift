import SluiceContract
import TestBytes

@testable import SluiceHTTP

/// What a server machine says about some input: one line for each event, content joined.
struct ServerTranscript: Equatable, CustomStringConvertible {
    private(set) var lines: [String] = []
    private(set) var refusal: Refusal?
    private var content: [UInt8] = []

    var description: String { lines.joined(separator: "\n") }

    /// Feeds the pieces one by one, answers every request as soon as it has ended, and closes at the end.
    init(_ pieces: [ArraySlice<UInt8>], limits: HTTP1Limits = HTTP1Limits(Limits()), closes: Bool = true) {
        var machine = HTTP1ServerMachine(limits: limits)
        var head = RequestHead()
        var trailers = HeaderBlock()
        for piece in pieces {
            Cuts.lend(piece) { bytes in
                machine.feed(bytes)
                drain(&machine, &head, &trailers)
                machine.settle()
            }
        }
        if closes {
            machine.inputClosed()
            drain(&machine, &head, &trailers)
        }
        flush()
    }

    init(_ text: String, limits: HTTP1Limits = HTTP1Limits(Limits()), closes: Bool = true) {
        self.init([Array(text.utf8)[...]], limits: limits, closes: closes)
    }

    private mutating func drain(
        _ machine: inout HTTP1ServerMachine, _ head: inout RequestHead, _ trailers: inout HeaderBlock
    ) {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore: return
            case .request: note(Self.describe(head))
            case .body(let bytes): content += bytes
            case .end:
                note((["end"] + trailers.lines).joined(separator: " | "))
                machine.responseCompleted()
            case .refused(let refusal):
                self.refusal = refusal
                note("refused \(refusal.kind.status)")
            case .paused: note("paused")
            case .closed: return note("closed")
            case .truncated: return note("truncated")
            }
        }
    }

    private mutating func note(_ line: String) {
        flush()
        if lines.last != line || line != "closed" { lines.append(line) }
    }

    private mutating func flush() {
        if !content.isEmpty { lines.append("body " + String(decoding: content, as: UTF8.self)) }
        content = []
    }

    private static func describe(_ head: borrowing RequestHead) -> String {
        var words = [String(head.methodName), String(head.target), "\(head.version)", "\(head.framing)"]
        words.append("<\(String(head.authority))> <\(String(head.path))>")
        if head.hasQuery { words.append("?<\(String(head.query))>") }
        if head.keepAlive { words.append("keep-alive") }
        if head.expectsContinue { words.append("expects-continue") }
        if head.acceptsTrailers { words.append("accepts-trailers") }
        if head.upgrade { words.append("upgrade") }
        return (["request " + words.joined(separator: " ")] + head.fields.lines).joined(separator: " | ")
    }
}
