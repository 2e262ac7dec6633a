import SluiceContract
import SluiceHTTP

/// All that can be seen of a server machine's run.
struct ServerReading: Equatable {
    var messages: [Message] = []
    var refusal: Problem.Kind?
    var isTruncated = false

    init(_ input: [UInt8], cuts: [Int]) {
        var machine = HTTP1ServerMachine(limits: HTTP1Limits(Limits()))
        var head = RequestHead()
        var trailers = HeaderBlock()
        Cuts.lend(input, at: cuts) { piece in
            machine.feed(piece)
            drain(&machine, &head, &trailers)
            machine.settle()
        }
        machine.inputClosed()
        drain(&machine, &head, &trailers)
    }

    private mutating func drain(
        _ machine: inout HTTP1ServerMachine, _ head: inout RequestHead, _ trailers: inout HeaderBlock
    ) {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore, .paused, .closed: return
            case .request:
                messages.append(
                    Message(words: [Array(head.methodName), Array(head.target)], head.fields, head.framing))
            case .body(let bytes): messages[messages.count - 1].body += bytes
            case .end:
                messages[messages.count - 1].trailers = Message.fields(trailers)
                messages[messages.count - 1].isComplete = true
                machine.responseCompleted()
            case .refused(let refusal): self.refusal = refusal.kind
            case .truncated:
                isTruncated = true
                return
            }
        }
    }
}

/// All that can be seen of a client machine's run.
struct ClientReading: Equatable {
    var interim: [Message] = []
    var messages: [Message] = []
    var isMalformed = false
    var isTruncated = false
    /// The connection is not used again.
    var isUnusable = false

    init(_ input: [UInt8], cuts: [Int], to method: SluiceHTTP.Method) {
        var machine = HTTP1ClientMachine(limits: HTTP1Limits(Limits()))
        var head = ResponseHead()
        var trailers = HeaderBlock()
        machine.requestSent(method: method)
        Cuts.lend(input, at: cuts) { piece in
            machine.feed(piece)
            drain(&machine, &head, &trailers)
            machine.settle()
        }
        machine.inputClosed()
        drain(&machine, &head, &trailers)
    }

    /// Bytes behind the end are told of as soon as they are seen: in one piece with the response before its head, or
    /// before its end. Cut, they come when the response is over, and end the connection all the same.
    func isSameButEarlier(than cut: ClientReading) -> Bool {
        guard isMalformed, cut.isUnusable, interim == cut.interim, messages.count <= 1, cut.messages.count <= 1 else {
            return false
        }
        guard let told = messages.first else { return true }
        return told.words == cut.messages.first?.words && told.fields == cut.messages.first?.fields
            && told.framing == cut.messages.first?.framing && told.body == cut.messages.first?.body
    }

    private mutating func drain(
        _ machine: inout HTTP1ClientMachine, _ head: inout ResponseHead, _ trailers: inout HeaderBlock
    ) {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore: return
            case .interim: interim.append(Self.message(head))
            case .response: messages.append(Self.message(head))
            case .body(let bytes): messages[messages.count - 1].body += bytes
            case .end:
                messages[messages.count - 1].trailers = Message.fields(trailers)
                messages[messages.count - 1].isComplete = true
            case .malformed:
                isMalformed = true
                isUnusable = true
            case .closedIdle:
                isUnusable = true
                return
            case .truncated:
                isTruncated = true
                return
            }
        }
    }

    private static func message(_ head: borrowing ResponseHead) -> Message {
        Message(words: [Array(String(head.status).utf8), Array(head.reason)], head.fields, head.framing)
    }
}
