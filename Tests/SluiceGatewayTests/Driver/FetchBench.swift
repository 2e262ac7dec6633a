import SluiceContract
import SluiceHTTP
import SluiceJSON

@testable import SluiceGateway

/// Takes the answer of a fetch in the place of an exchange, and notes what it hears, in order.
final class AnswerTaker: FetchConsumer {
    private(set) var heard: [String] = []
    private(set) var status = 0
    private(set) var fields: [Message.Field] = []
    private(set) var body: [UInt8] = []
    private(set) var trailers: [Message.Field] = []
    private(set) var problem: Problem?
    /// The body that it sends once the upstream takes it, and whether that is all of it.
    var upload: [String] = []
    var endsUpload = true
    /// After so many bytes of the answer it takes no more.
    var bytesMax = Int.max
    /// Called with each head, before it is noted.
    var onHead: () -> Void = {}

    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    override func resumeBody() {
        guard let fetch else { return }
        while !upload.isEmpty, fetch.takesBody() {
            Array(upload.removeFirst().utf8).withUnsafeBytes { fetch.sendBody($0, lifetime: .call) }
        }
        guard upload.isEmpty, endsUpload, !request.body.isComplete else { return }
        request.body.isComplete = true
        fetch.endBody(trailers: request.trailers)
    }

    override func sendContinue() { heard.append("continue") }

    override var isUnanswered: Bool { status == 0 && problem == nil }

    override func interim(_ head: borrowing ResponseHead) { heard.append("\(head.status)") }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        onHead()
        precondition(isUnanswered, "a second answer for one request")
        self.status = status
        self.fields = Self.list(fields)
        switch framing {
        case .empty: heard.append("head empty")
        case .length(let length): heard.append("head \(length)")
        case .stream: heard.append("head stream")
        }
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if heard.last != "body" { heard.append("body") }
        body += run
        if body.count >= bytesMax {
            bytesMax = .max
            fetch?.pause()
        }
    }

    override func answerBody(moving held: inout Outbox) {
        held.forEachRun { run, _ in answerBody(run, lifetime: .call) }
        held.removeAll()
    }

    override func answerEnd() { end() }

    override func answerEnd(trailers: borrowing HeaderBlock) {
        self.trailers = Self.list(trailers)
        end()
    }

    private func end() {
        borrowedFetch = nil
        heard.append("end")
    }

    override func openTunnel(_ fields: borrowing HeaderBlock) {
        status = 101
        heard.append("tunnel")
    }

    override func fetchFailed(_ problem: Problem) {
        borrowedFetch = nil
        self.problem = problem
        heard.append("failed")
    }

    override func fail(_ problem: Problem) {
        let fetch = self.fetch
        fetchFailed(problem)
        fetch?.cancel()
    }

    private static func list(_ fields: borrowing HeaderBlock) -> [Message.Field] {
        var list: [Message.Field] = []
        for index in 0..<fields.count where !fields.isMarked(index) {
            list.append(
                Message.Field(
                    name: String(decoding: fields.name(index), as: UTF8.self),
                    value: String(decoding: fields.value(index), as: UTF8.self)))
        }
        return list
    }
}

extension Bench {
    /// A fetch for the only binding of the configuration: no client, no exchange.
    /// - Parameter prepare: makes the request what it is; it has neither body nor fields.
    func fetch(_ method: String = "GET", _ target: String = "/v1/x", _ prepare: (AnswerTaker) -> Void = { _ in })
        -> AnswerTaker
    {
        let route = generation.table.routes[0]
        let request = BoundRequest(generation)
        request.borrowedRoute = Borrowed(route)
        Array(method.utf8).withUnsafeBytes { request.head.set(method: $0) }
        request.target.append(Array(target.utf8))
        request.body.isComplete = true
        let taker = AnswerTaker(request)
        prepare(taker)
        if let problem = gateway.corridor.fetches.begin(for: taker, route, generation.upstreams[route.upstream]) {
            taker.fetchFailed(problem)
        }
        turn()
        return taker
    }

    private var generation: Generation { gateway.generation }
}
