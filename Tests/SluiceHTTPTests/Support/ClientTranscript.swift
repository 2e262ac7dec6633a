import SluiceContract
import TestBytes

@testable import SluiceHTTP

/// What a client machine says about the answer to one request: one line for each event, content joined.
struct ClientTranscript: Equatable, CustomStringConvertible {
    private(set) var lines: [String] = []
    private(set) var isMalformed = false
    private var content: [UInt8] = []

    var description: String { lines.joined(separator: "\n") }

    init(
        _ pieces: [ArraySlice<UInt8>], to method: SluiceHTTP.Method = .get, expectsUpgrade: Bool = false,
        limits: HTTP1Limits = HTTP1Limits(Limits()), closes: Bool = false
    ) {
        var machine = HTTP1ClientMachine(limits: limits)
        var head = ResponseHead()
        var trailers = HeaderBlock()
        machine.requestSent(method: method, expectsUpgrade: expectsUpgrade)
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

    init(_ text: String, to method: SluiceHTTP.Method = .get, expectsUpgrade: Bool = false, closes: Bool = false) {
        self.init([Array(text.utf8)[...]], to: method, expectsUpgrade: expectsUpgrade, closes: closes)
    }

    private mutating func drain(
        _ machine: inout HTTP1ClientMachine, _ head: inout ResponseHead, _ trailers: inout HeaderBlock
    ) {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore: return
            case .interim: note("interim " + Self.describe(head))
            case .response: note("response " + Self.describe(head))
            case .body(let bytes): content += bytes
            case .end(let isReusable):
                note((["end"] + trailers.lines).joined(separator: " | ") + (isReusable ? " reusable" : ""))
            case .malformed:
                isMalformed = true
                note("malformed")
            case .closedIdle: return note("closed")
            case .truncated(let isBeforeFirstByte):
                return note(isBeforeFirstByte ? "truncated before first byte" : "truncated")
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

    private static func describe(_ head: borrowing ResponseHead) -> String {
        let line = "\(head.status) \(head.version) <\(String(head.reason))> \(head.framing)"
        return ([line + (head.keepAlive ? " keep-alive" : "")] + head.fields.lines).joined(separator: " | ")
    }
}
