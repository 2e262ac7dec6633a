import HTTP2Wire

@testable import SluiceGateway

/// One connection at an origin that speaks HTTP/2: answers the request on each stream by a plan of its own, in frames
/// that mix with those of other streams, in fragments.
final class SimulatedHTTP2Origin: OriginPlayer {
    typealias Wire = HTTP2Wire

    let peer: OriginPeer
    private let origin: HTTP2Origin
    private var planned: Set<Int> = []
    /// Frames that are to go out, by stream.
    private var frames: [Int: [[UInt8]]] = [:]
    private var outgoing: [UInt8] = []
    private var dies = false
    private var stalled: Set<Int> = []
    /// What GOAWAY has named, or will: what comes behind it is not looked at.
    private var lastServed = Int.max

    private enum Plan: Hashable {
        case length, noLength, noContent
        case truncated, cutByReset, garbage, wrongType
        case refused, resetUnanswered, goaway, stall
    }

    init(_ peer: OriginPeer, streams: Int) {
        self.peer = peer
        origin = HTTP2Origin(peer, settings: [3: streams])
    }

    var outgoingCount: Int { outgoing.count + frames.values.reduce(0) { $0 + $1.count } }

    var isIdle: Bool {
        peer.isConnected && !peer.isClosed && outgoingCount == 0 && planned.isSuperset(of: origin.streams)
            && stalled.isEmpty && peer.unreadCount == 0 && peer.link.outbox.isEmpty
    }

    func read(
        _ requests: inout [Int: SimulatedRequest], isOrderly: Bool, using random: inout SeededGenerator,
        _ violation: (String) -> Void
    ) {
        for stream in origin.streams where !planned.contains(stream) {
            let wire = origin.request(stream)
            if wire.resetCode != nil || stream > lastServed {
                planned.insert(stream)
                continue
            }
            let message = Self.message(wire)
            guard let id = Int(message.target.prefix { $0 != "?" }.split(separator: "/").last ?? ""),
                var request = requests[id]
            else { return violation("a request for \(message.target)") }
            if let fault = request.fault(of: message, at: peer) {
                violation("request \(id) (\(request.method) \(request.kind)) upstream: \(fault)")
            }
            guard message.isComplete || (!isOrderly && random.chance(5)) else { continue }
            planned.insert(stream)
            plan(&request, message, stream, isOrderly: isOrderly, using: &random)
            if request.attempts > World.attemptsMax(message.method, peer.upstream) {
                violation("request \(id) (\(message.method)) reached origins \(request.attempts) times")
            }
            requests[id] = request
        }
        for stream in frames.keys where origin.request(stream).resetCode != nil { frames[stream] = nil }
        stalled = stalled.filter { origin.request($0).resetCode == nil }
    }

    private static func message(_ wire: HTTP2WireReader.Answer) -> Message {
        var message = Message()
        message.startLine = "\(wire[":method"] ?? "") \(wire[":path"] ?? "") HTTP/2"
        message.fields = wire.fields.map {
            Message.Field(name: $0.name == ":authority" ? "Host" : $0.name, value: $0.value)
        }
        message.body = wire.body
        message.bodyCount = wire.body.count
        message.isHeadComplete = true
        message.isComplete = wire.isComplete
        return message
    }

    private func plan(
        _ request: inout SimulatedRequest, _ message: Message, _ stream: Int, isOrderly: Bool,
        using random: inout SeededGenerator
    ) {
        let plan: Plan =
            isOrderly
            ? .length
            : random.pick([
                .length: 50, .noLength: 25, .noContent: request.kind == .raw ? 4 : 0, .truncated: 6, .cutByReset: 2,
                .garbage: 3, .wrongType: 4, .refused: 4, .resetUnanswered: 4, .goaway: 3, .stall: 3,
            ])
        if plan == .refused { return append(stream, Wire.reset(stream, code: 7)) }
        request.attempts += 1
        var body = request.kind == .typed ? Array(World.document(request.id).utf8) : World.content(request.id)
        if !isOrderly, random.chance(10) {
            append(stream, Wire.headers(stream, [(":status", "103"), ("link", "<x>")], end: false))
        }
        let status = request.kind == .raw ? random.pick([200: 6, 201: 1, 404: 1, 500: 1, 503: 1]) : 200
        var head: Wire.Fields = [
            (":status", "\(status)"), ("x-id", "\(request.id)"), ("x-attempt", "\(request.attempts)"),
        ]
        let isHead = message.method == "HEAD"
        switch plan {
        case .length, .truncated, .cutByReset: head.append(("content-length", "\(body.count)"))
        case .wrongType where request.kind == .typed:
            request.spoilt.insert(request.attempts)
            body = Array(World.document(request.id).replacing("\"values\":[", with: "\"values\":[7,").utf8)
        case .noLength, .wrongType: break
        case .goaway:
            let last = max(planned.max() ?? stream, stream)
            lastServed = min(lastServed, last)
            append(stream, Wire.frame(7, [0, 0, UInt8(last >> 8 & 0xff), UInt8(last & 0xff), 0, 0, 0, 0]))
        case .noContent:
            head[0] = (":status", "204")
            return append(stream, Wire.headers(stream, head))
        case .garbage:
            request.spoilt.insert(request.attempts)
            head.append(random.chance(50) ? ("connection", "close") : ("X-Upper", "1"))
        case .resetUnanswered: return append(stream, Wire.reset(stream, code: 2))
        case .stall:
            stalled.insert(stream)
            return
        case .refused: break
        }
        // With the last of what is announced comes the end: else what is whole for one would be broken for the other.
        let isAnnounced = [.length, .truncated, .cutByReset].contains(plan)
        append(stream, Wire.headers(stream, head, end: isHead || isAnnounced && body.isEmpty))
        if !isHead { appendContent(body, stream, isAnnounced: isAnnounced, using: &random) }
        if plan == .truncated || plan == .cutByReset { cut(&request, stream, plan == .cutByReset, using: &random) }
    }

    /// Some of the frames never come.
    private func cut(
        _ request: inout SimulatedRequest, _ stream: Int, _ isWhole: Bool, using random: inout SeededGenerator
    ) {
        let all = frames[stream] ?? []
        let kept = random.number(0...all.count - 1)
        frames[stream] = Array(all.prefix(kept))
        if isWhole { dies = true } else { append(stream, Wire.reset(stream, code: 2)) }
        if kept > 0, !(request.kind == .typed && World.isEarly(peer.upstream)) {
            request.spoilt.insert(request.attempts)
        }
    }

    private func append(_ stream: Int, _ frame: [UInt8]) { frames[stream, default: []].append(frame) }

    private func appendContent(
        _ body: [UInt8], _ stream: Int, isAnnounced: Bool, using random: inout SeededGenerator
    ) {
        var rest = body[...]
        while !rest.isEmpty {
            let size = min(rest.count, random.pick([1: 1, 90: 3, 700: 3, 5000: 2]))
            let isLast = isAnnounced && size == rest.count
            append(
                stream,
                Wire.frame(0, flags: isLast ? Wire.Flag.endStream : 0, stream: stream, Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        if isAnnounced { return }
        let sum: Wire.Fields = [("x-sum", "1")]
        append(stream, random.chance(20) ? Wire.headers(stream, sum) : Wire.data(stream, "", end: true))
    }

    func sendSome(_ count: Int) {
        while outgoing.count < count, let stream = frames.keys.sorted().first(where: { frames[$0]?.isEmpty == false }) {
            // The lowest stream is not always the next: what comes in between is for others.
            let streams = frames.keys.sorted().filter { frames[$0]?.isEmpty == false }
            let next = streams[(outgoing.count + stream) % streams.count]
            if let frame = frames[next]?.removeFirst() { outgoing += frame }
            if frames[next]?.isEmpty == true { frames[next] = nil }
        }
        if !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(count))
            outgoing.removeFirst(piece.count)
            peer.send(piece)
        }
        if dies, outgoingCount == 0, peer.unreadCount == 0 { peer.reset() }
    }
}
