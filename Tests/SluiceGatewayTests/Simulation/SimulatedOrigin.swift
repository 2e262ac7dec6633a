@testable import SluiceGateway

/// One connection at an origin, whatever it speaks.
protocol OriginPlayer: AnyObject {
    var peer: OriginPeer { get }
    var outgoingCount: Int { get }
    /// Connected, and everything asked for is answered.
    var isIdle: Bool { get }
    /// Looks at what has come, and plans an answer where one is due.
    func read(
        _ requests: inout [Int: SimulatedRequest], isOrderly: Bool, using random: inout SeededGenerator,
        _ violation: (String) -> Void)
    /// Sends some of what is planned; when all is out, does what was to follow.
    func sendSome(_ count: Int)
}

/// One connection at an origin: answers each request by a plan of its own, in fragments.
final class SimulatedOrigin: OriginPlayer {
    let peer: OriginPeer
    private var planned = 0
    /// What was there when it was looked at last.
    private var judgedBytes = -1
    private var outgoing: [UInt8] = []
    private var ending = Ending.none

    private enum Ending {
        case none, fin, reset
        /// The rest of the answer never comes.
        case stall
    }

    private enum Plan: Hashable {
        case length, chunked, untilClose, noContent
        case truncated, cutByReset, garbage, wrongType
        case resetUnanswered, closeUnanswered, stall
    }

    var outgoingCount: Int { outgoing.count }
    var isIdle: Bool {
        peer.isConnected && !peer.isClosed && outgoing.isEmpty && planned == peer.requests.count && ending == .none
            && !peer.reader.isInside && peer.link.outbox.isEmpty && peer.unreadCount == 0
    }

    init(_ peer: OriginPeer) {
        self.peer = peer
    }

    func read(
        _ requests: inout [Int: SimulatedRequest], isOrderly: Bool, using random: inout SeededGenerator,
        _ violation: (String) -> Void
    ) {
        if let fault = peer.reader.fault { violation("origin reads \(fault)") }
        for message in peer.requests.dropFirst(planned) where message.isHeadComplete {
            if message.target == World.healthPath {
                outgoing += Array("HTTP/1.1 \(random.chance(80) || isOrderly ? 200 : 503) X\r\n\r\n".utf8)
                ending = .fin
                planned += 1
                continue
            }
            guard let id = Int(message.target.prefix { $0 != "?" }.split(separator: "/").last ?? ""),
                var request = requests[id]
            else { return violation("a request for \(message.target)") }
            if judgedBytes != peer.reader.byteCount, let fault = request.fault(of: message, at: peer) {
                violation("request \(id) (\(request.method) \(request.kind)) upstream: \(fault)")
            }
            guard message.isComplete || (!isOrderly && random.chance(5)) else { break }
            request.attempts += 1
            if request.attempts > World.attemptsMax(message.method, peer.upstream) {
                violation("request \(id) (\(message.method)) reached origins \(request.attempts) times")
            }
            plan(&request, message, isOrderly: isOrderly, using: &random)
            requests[id] = request
            planned += 1
        }
        judgedBytes = peer.reader.byteCount
    }

    private func plan(
        _ request: inout SimulatedRequest, _ message: Message, isOrderly: Bool, using random: inout SeededGenerator
    ) {
        let plan: Plan =
            isOrderly
            ? .length
            : random.pick([
                .length: 50, .chunked: 25, .untilClose: 6, .noContent: request.kind == .raw ? 4 : 0, .truncated: 6,
                .cutByReset: 4, .garbage: 3, .wrongType: 4, .resetUnanswered: 4, .closeUnanswered: 4, .stall: 3,
            ])
        let mark = "X-Id: \(request.id)\r\nX-Attempt: \(request.attempts)\r\n"
        var body = request.kind == .typed ? Array(World.document(request.id).utf8) : World.content(request.id)
        if !isOrderly, message["Expect"] != nil, random.chance(50) {
            outgoing += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        }
        if !isOrderly, random.chance(10) {
            outgoing += Array("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".utf8)
        }
        let status = request.kind == .raw ? random.pick([200: 6, 201: 1, 404: 1, 500: 1, 503: 1]) : 200
        var head = "HTTP/1.1 \(status) Simulated\r\n\(mark)"
        if !isOrderly, random.chance(10), plan == .length || plan == .chunked {
            head += "Connection: close\r\n"
            ending = .fin
        }
        switch plan {
        case .length: break
        case .wrongType:
            if request.kind == .typed {
                request.spoilt.insert(request.attempts)
                body = Array(World.document(request.id).replacing("\"values\":[", with: "\"values\":[7,").utf8)
            }
        case .chunked:
            outgoing += head.utf8
            if message.method == "HEAD" { return append("Transfer-Encoding: chunked\r\n\r\n") }
            return appendChunked(body, using: &random)
        case .untilClose:
            ending = message.method == "HEAD" ? .none : .fin
            return append(head + "\r\n", message.method == "HEAD" ? [] : body)
        case .noContent:
            return append("HTTP/1.1 204 Simulated\r\n\(mark)\r\n")
        case .truncated, .cutByReset:
            ending = plan == .truncated ? .fin : .reset
            append(head + "Content-Length: \(body.count)\r\n\r\n", message.method == "HEAD" ? [] : body)
            let kept = random.number(0...outgoing.count - 1)
            outgoing.removeLast(outgoing.count - kept)
            // Unanswered, it may be tried again; and an early answer does not look at the rest.
            if kept > 0, !(request.kind == .typed && World.isEarly(peer.upstream)) {
                request.spoilt.insert(request.attempts)
            }
            return
        case .garbage:
            request.spoilt.insert(request.attempts)
            return append(random.pick(["HTTP/1.1 2OO OK\r\n\r\n": 1, "no HTTP\r\n\r\n": 1, "HTTP/9.1 200 OK\r\n": 1]))
        case .resetUnanswered:
            ending = .reset
            return
        case .closeUnanswered:
            ending = .fin
            return
        case .stall:
            ending = .stall
            return
        }
        append(head + "Content-Length: \(body.count)\r\n\r\n", message.method == "HEAD" ? [] : body)
    }

    private func append(_ text: String, _ body: [UInt8] = []) {
        outgoing += Array(text.utf8) + body
    }

    private func appendChunked(_ body: [UInt8], using random: inout SeededGenerator) {
        append("Transfer-Encoding: chunked\r\n\r\n")
        var rest = body[...]
        while !rest.isEmpty {
            let size = min(rest.count, random.pick([1: 1, 90: 3, 700: 3, 5000: 2]))
            append(String(size, radix: 16) + "\r\n", rest.prefix(size) + [0x0D, 0x0A])
            rest = rest.dropFirst(size)
        }
        append(random.chance(20) ? "0\r\nX-Sum: 1\r\n\r\n" : "0\r\n\r\n")
    }

    func sendSome(_ count: Int) {
        if !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(count))
            outgoing.removeFirst(piece.count)
            peer.send(piece)
        }
        guard outgoing.isEmpty, peer.unreadCount == 0 else { return }
        switch ending {
        case .none, .stall: break
        case .fin: peer.endInput()
        case .reset: peer.reset()
        }
    }
}
