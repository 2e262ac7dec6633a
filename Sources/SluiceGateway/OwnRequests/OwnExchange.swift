internal import SluiceContract
internal import SluiceHTTP

/// A request of the gateway's own, and its answer: the consumer of a fetch that has no client.
final class OwnExchange: FetchConsumer {
    /// No token endpoint sends a longer answer.
    static let bodyBytesMax = 256 << 10

    private let owner: OwnRequests
    private let secrets: [[UInt8]]
    private var done: ((OwnAnswer) -> Void)?
    private var hasHead = false
    private var status = 0
    private var body: [UInt8] = []

    init(
        _ asked: OwnRequest, _ generation: Generation, _ route: Route, _ owner: OwnRequests,
        _ done: @escaping (OwnAnswer) -> Void
    ) {
        self.owner = owner
        self.done = done
        secrets = asked.secrets
        let request = BoundRequest(generation)
        request.borrowedRoute = Borrowed(route)
        Array(asked.method.utf8).withUnsafeBytes { request.head.set(method: $0) }
        for field in asked.fields {
            Array(field.name.utf8).withUnsafeBytes { name in
                Array(field.value.utf8).withUnsafeBytes { request.head.fields.append(name: name, value: $0) }
            }
        }
        request.target.append(Array(asked.target.utf8))
        request.body.isComplete = true
        if let bytes = asked.body {
            request.body.outgoing = .length(bytes.count)
            bytes.withUnsafeBytes { request.body.held.append($0) }
        }
        super.init(request)
    }

    override var isUnanswered: Bool { !hasHead }

    override func answer(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        hasHead = true
        self.status = status
    }

    override func answerBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        body += run
        // The fetch must not be ended from inside its own call.
        if body.count > Self.bodyBytesMax { body.removeLast(body.count - Self.bodyBytesMax - 1) }
    }

    override func answerBody(moving held: inout Outbox) {
        held.forEachRun { run, _ in answerBody(run, lifetime: .call) }
        held.removeAll()
    }

    override func answerEnd() {
        borrowedFetch = nil
        let name = request.generation.upstreams[0].settings.name
        if body.count > Self.bodyBytesMax {
            return end(.problem(Problem(.upstreamTooLarge, detail: "The answer of '\(name)' is too long.")))
        }
        // A redirect is not followed: a secret goes nowhere but to the configured place.
        if !(200..<300).contains(status) {
            let detail = "'\(name)' answered with status \(status)."
            return end(.problem(Problem(.upstreamError, status: status, detail: detail)))
        }
        end(.body(body))
    }

    override func answerEnd(trailers: borrowing HeaderBlock) { answerEnd() }

    override func fetchFailed(_ problem: Problem) {
        var problem = problem
        if let fetch {
            let nonce = Array(OwnRequest.nonceField.utf8).withUnsafeBytes { fetch.response.fields.firstIndex(of: $0) }
            if let nonce {
                let value = String(decoding: fetch.response.fields.value(nonce), as: UTF8.self)
                problem.fields.append(HeaderSetting(name: OwnRequest.nonceField, value: value))
            }
        }
        super.fetchFailed(problem)
    }

    override func fail(_ problem: Problem) {
        cancelFetch()
        end(.problem(problem))
    }

    private func end(_ answer: OwnAnswer) {
        guard let done else { return }
        self.done = nil
        owner.ended(self)
        guard case .problem(let problem) = answer else { return done(answer) }
        var masked = problem
        masked.detail = OwnRequest.masked(problem.detail, hiding: secrets)
        masked.upstreamCode = problem.upstreamCode.map { OwnRequest.masked($0, hiding: secrets) }
        done(.problem(masked))
    }
}
