import HTTP2Wire

@testable import SluiceGateway

/// The same over HTTP/2: requests side by side, their frames in any order that the streams allow, small windows.
final class SimulatedHTTP2Client: SimulatedClient {
    private let wire = HTTP2WireReader()
    private let ids: [Int]
    /// Where in what is sent each request begins.
    private var begins: [Int] = []
    private var read = 0
    /// The window of each stream, and what has been granted to it in all.
    private let window: Int
    private var granted: [Int: Int] = [:]
    private var judgedStreams: Set<Int> = []

    init(_ peer: ClientPeer, _ requests: [SimulatedRequest], using random: inout SeededGenerator) {
        ids = requests.map(\.id)
        window = random.pick([65_535: 3, 1000: 2, 90: 1])
        super.init(peer, ids: ids)
        peer.recordsBytes = true
        unsent = HTTP2Wire.magic + HTTP2Wire.settings([4: window])
        var queues = requests.enumerated().map { $1.frames($0 * 2 + 1, using: &random)[...] }
        while let first = queues.indices.first(where: { !queues[$0].isEmpty }) {
            // Streams begin in the order of their numbers (RFC 9113 §5.1.1).
            let open = (first..<min(queues.count, begins.count + 1)).filter { !queues[$0].isEmpty }
            guard let index = open.randomElement(using: &random) else { break }
            if index == begins.count { begins.append(unsent.count) }
            unsent += queues[index].removeFirst()
        }
    }

    override var exchangesMax: Int { ids.count }
    override var outboxMax: Int { World.http2OutboxMax }

    private var answers: [HTTP2WireReader.Answer] {
        wire.feed(peer.bytes[read...])
        read = peer.bytes.count
        return ids.indices.map { wire.answers[$0 * 2 + 1] ?? HTTP2WireReader.Answer() }
    }

    override var isDone: Bool { peer.isClosed || answers.allSatisfy { $0.isComplete || $0.resetCode != nil } }

    override func sendSome(_ count: Int) {
        grant()
        super.sendSome(count)
    }

    /// Opens the windows of streams that have used most of theirs (RFC 9113 §6.9).
    private func grant() {
        for (index, answer) in answers.enumerated() where !answer.isComplete && answer.resetCode == nil {
            let stream = index * 2 + 1
            guard sent > begins[index], granted[stream, default: window] - answer.body.count <= window / 2 else {
                continue
            }
            granted[stream, default: window] += window
            unsent += HTTP2Wire.windowUpdate(stream, window)
        }
    }

    override func judge(_ requests: [Int: SimulatedRequest], _ violation: (String) -> Void) {
        if peer.bytes.count == read, read > 0 { return }
        for (index, answer) in answers.enumerated() where !judgedStreams.contains(index) {
            guard let request = requests[ids[index]] else { return }
            let name = "request \(request.id) (\(request.method) \(request.kind)) over HTTP/2"
            if answer.status > 0, let fault = request.fault(of: Message(answer)) { violation("\(name): \(fault)") }
            if answer.status > 0 || answer.resetCode != nil, sent <= begins[index] {
                violation("\(name) is answered before it was sent")
            }
            if answer.status == 0, let code = answer.resetCode, !mayBeReset(request, code) {
                violation("\(name) is reset with \(code) and no answer")
            }
            if answer.isComplete || answer.resetCode != nil { judgedStreams.insert(index) }
        }
        // ENHANCE_YOUR_CALM is for a client that takes nothing for too long, SETTINGS_TIMEOUT for half a preface.
        if let code = wire.goaways.last?.code, ![0, 4, 11].contains(code) { violation("GOAWAY with \(code)") }
    }

    /// PROTOCOL_ERROR for what is malformed; INTERNAL_ERROR where an answer broke off before its head was framed.
    private func mayBeReset(_ request: SimulatedRequest, _ code: Int) -> Bool {
        switch code {
        case 1: [.malformed, .badChunk].contains(request.kind)
        case 2: request.kind != .malformed
        default: false
        }
    }

    override func judgeEnd(_ requests: [Int: SimulatedRequest], _ violation: (String) -> Void) {
        if isDone && !peer.isClosed || hasLeft { return }
        guard peer.isClosed else { return violation("requests \(ids) over HTTP/2 have no answer") }
        // Who is too slow with a head, or takes nothing, is cut off; who says nothing for long is told to go.
        let isExplained = peer.sawReset || !wire.goaways.isEmpty || !unsent.isEmpty || sent < begins.last ?? 0
        if !isExplained { violation("the connection of \(ids) was closed without a word") }
    }
}
