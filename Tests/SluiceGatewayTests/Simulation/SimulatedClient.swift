@testable import SluiceGateway

/// A client's connection: writes its requests in fragments, pipelined, and judges what comes back.
class SimulatedClient {
    let peer: ClientPeer
    let requests: [Int]
    final var unsent: [UInt8] = []
    /// Where in the stream each request ends.
    private var ends: [Int] = []
    private(set) final var sent = 0
    private var judged = 0
    /// What was there when it was looked at last.
    private var judgedBytes = -1
    private(set) var hasLeft = false

    /// - Parameter ids: of the requests, in their order.
    init(_ peer: ClientPeer, ids: [Int]) {
        self.peer = peer
        requests = ids
    }

    convenience init(_ peer: ClientPeer, _ requests: [SimulatedRequest]) {
        self.init(peer, ids: requests.map(\.id))
        for request in requests {
            unsent += request.wire
            ends.append(unsent.count)
            peer.expect(request.method)
        }
    }

    /// Exchanges that may be open at a time.
    var exchangesMax: Int { 1 }
    /// Bytes that may wait for it.
    var outboxMax: Int { World.clientOutboxMax }
    var isDone: Bool { peer.isClosed || (unsent.isEmpty && peer.answers.count(where: \.isComplete) == requests.count) }

    func sendSome(_ count: Int) {
        if peer.isClosed || hasLeft { return }
        let piece = Array(unsent.prefix(count))
        unsent.removeFirst(piece.count)
        // What is sent behind the gateway's back is lost, as after any close.
        if peer.link.ending == .open { sent += piece.count }
        if !piece.isEmpty { peer.send(piece) }
    }

    func leave(byReset: Bool) {
        hasLeft = true
        if byReset { peer.reset() } else { peer.endInput() }
    }

    /// Looks at the answers that have come or grown.
    func judge(_ requests: [Int: SimulatedRequest], _ violation: (String) -> Void) {
        if peer.reader.byteCount == judgedBytes { return }
        judgedBytes = peer.reader.byteCount
        if let fault = peer.reader.fault { violation("client reads \(fault)") }
        let answers = peer.answers
        while judged < answers.count, answers[judged].isHeadComplete {
            guard let request = requests[self.requests[judged]] else { return }
            if let fault = request.fault(of: answers[judged]) {
                violation("request \(request.id) (\(request.method) \(request.kind)): \(fault)")
            }
            let begins = judged == 0 ? 0 : ends[judged - 1]
            if sent <= begins { violation("request \(request.id) is answered before it was sent") }
            guard answers[judged].isComplete else { return }
            judged += 1
        }
    }

    /// At the end: every request has its answer, or there is a reason.
    func judgeEnd(_ requests: [Int: SimulatedRequest], _ violation: (String) -> Void) {
        let answers = peer.answers
        if hasLeft || answers.count(where: \.isComplete) == self.requests.count { return }
        guard peer.isClosed else {
            return violation("requests \(self.requests.dropFirst(answers.count)) have no answer")
        }
        guard let last = answers.last else {
            // An answer that broke off before its head was written is a reset.
            let isExplained = sent == 0 || peer.sawReset
            if !isExplained { violation("the connection of \(self.requests) was closed without a word") }
            return
        }
        let request = requests[self.requests[answers.count - 1]]
        // The answer to a typed HEAD is out before the body it speaks of is proven.
        let isBroken = request?.kind == .badChunk || request?.method == "HEAD" && request?.kind == .typed
        // Whoever stops reading is cut off in a way that shows.
        let isCutOff = peer.hasStalled && peer.sawReset
        let isExplained =
            last["Connection"] == "close" || !last.isComplete || isBroken || isCutOff
            || sent <= ends[answers.count - 1]
        if !isExplained {
            let unanswered = self.requests.dropFirst(answers.count)
            violation("closed with \(unanswered) unanswered, behind \(last.startLine) \(last.fields)")
        }
    }
}
