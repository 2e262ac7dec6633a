import SluiceContract

@testable import SluiceHTTP

extension HTTP1ClientMachine.Event {
    /// For comparison.
    var name: String {
        switch self {
        case .needMore: "needMore"
        case .interim: "interim"
        case .response: "response"
        case .body(let bytes): "body " + String(bytes)
        case .end(let isReusable): isReusable ? "end reusable" : "end"
        case .malformed: "malformed"
        case .closedIdle: "closedIdle"
        case .truncated(let isBeforeFirstByte): isBeforeFirstByte ? "truncated before first byte" : "truncated"
        }
    }
}

extension HTTP1ServerMachine.Event {
    /// For comparison.
    var name: String {
        switch self {
        case .needMore: "needMore"
        case .request: "request"
        case .body(let bytes): "body " + String(bytes)
        case .end: "end"
        case .refused(let refusal): "refused \(refusal.kind.status)"
        case .paused: "paused"
        case .closed: "closed"
        case .truncated: "truncated"
        }
    }
}

/// A server machine with its head and trailers.
struct Server: ~Copyable {
    var machine = HTTP1ServerMachine(limits: HTTP1Limits(Limits()))
    var head = RequestHead()
    var trailers = HeaderBlock()

    mutating func next() -> String { machine.next(&head, trailers: &trailers).name }

    /// Feeds, drains until nothing is left to say, and settles.
    mutating func feed(_ text: String) -> [String] {
        text.withBytes { bytes in
            machine.feed(bytes)
            let events = drain()
            machine.settle()
            return events
        }
    }

    mutating func drain() -> [String] {
        var events: [String] = []
        while true {
            let event = next()
            events.append(event)
            if ["needMore", "paused", "closed", "truncated"].contains(event) { return events }
        }
    }
}

/// A client machine with its head and trailers.
struct Client: ~Copyable {
    var machine = HTTP1ClientMachine(limits: HTTP1Limits(Limits()))
    var head = ResponseHead()
    var trailers = HeaderBlock()

    mutating func next() -> String { machine.next(&head, trailers: &trailers).name }

    /// Feeds, drains until nothing is left to say, and settles.
    mutating func feed(_ text: String) -> [String] {
        text.withBytes { bytes in
            machine.feed(bytes)
            let events = drain()
            machine.settle()
            return events
        }
    }

    mutating func drain() -> [String] {
        var events: [String] = []
        while true {
            let event = next()
            events.append(event)
            if event == "needMore" || event == "closedIdle" || event.hasPrefix("truncated") { return events }
        }
    }
}
