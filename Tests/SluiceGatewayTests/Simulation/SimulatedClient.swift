@testable import SluiceGateway

/// A client's connection: writes its requests in fragments, pipelined, and judges what comes back.
final class SimulatedClient {
    let peer: ClientPeer
    let requests: [Int]
    private var unsent: [UInt8] = []
    /// Where in the stream each request ends.
    private var ends: [Int] = []
    private var sent = 0
    private var judged = 0
    private(set) var hasLeft = false

    init(_ peer: ClientPeer, _ requests: [SimulatedRequest]) {
        self.peer = peer
        self.requests = requests.map(\.id)
        for request in requests {
            unsent += request.wire
            ends.append(unsent.count)
            peer.expect(request.method)
        }
    }

    var isDone: Bool { peer.isClosed || (unsent.isEmpty && peer.answers.count(where: \.isComplete) == requests.count) }

    func sendSome(_ count: Int) {
        let piece = Array(unsent.prefix(count))
        unsent.removeFirst(piece.count)
        sent += piece.count
        if !piece.isEmpty { peer.send(piece) }
    }

    func leave(byReset: Bool) {
        hasLeft = true
        if byReset { peer.reset() } else { peer.endInput() }
    }

    /// Looks at the answers that have come or grown.
    func judge(_ requests: [Int: SimulatedRequest], _ violation: (String) -> Void) {
        if let fault = peer.reader.fault { violation("client reads \(fault)") }
        let answers = peer.answers
        while judged < answers.count {
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
            if sent > 0 { violation("the connection of \(self.requests) was closed without a word") }
            return
        }
        let wasEarly = sent < ends[answers.count - 1]
        let isExplained = last["Connection"] == "close" || !last.isComplete || wasEarly || sent <= ends[answers.count - 1]
        if !isExplained { violation("closed with requests \(self.requests.dropFirst(answers.count)) unanswered") }
    }
}
