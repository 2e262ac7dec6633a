internal import SluiceContract
internal import SluiceHTTP

/// One composed answer while its parts are fetched: the carrier of a fetch whose upstream is the gateway itself.
///
/// Each part is an exchange of its own, whose client is this object: it has its own cache entry, timeouts, credential
/// and everything else that its binding says, and joins fetches that other clients have begun. The answers of all parts
/// make one document, from which the fetch cuts the value as from any upstream's answer.
///
/// The parts' answers are taken in, and the fetch is told of them, in a turn of their own (``resume(_:_:)``): never
/// from inside a call of the fetch, nor from inside a part's exchange, which may be answered while it still begins.
final class ComposedAnswer: PartsCarrier {
    let corridor: Corridor
    let plan: CompositionPlan
    /// Retained by its fetch or fill, which abandons this answer before it releases the request.
    private let borrowedAsked: Borrowed<BoundRequest>
    var asked: BoundRequest { borrowedAsked.object }
    let generation: Generation
    /// The fetch's call; nil once it has ended.
    private(set) var call: UpstreamCall?
    /// By position in the plan.
    var parts: [PartState]
    /// Requests whose answers have not been taken in yet.
    var calls: [PartCall] = []
    /// Requests by route, method and target, so that none is sent twice. Only reads, and only until a part writes.
    var answers: [[UInt8]: PartCall] = [:]
    /// The body of the client's request.
    private(set) var body: [UInt8] = []
    /// What the outermost composed answer may request and hold in all.
    let budget: PartsBudget
    /// Bytes of the budget that all parts hold.
    private var heldBytes = 0
    /// What the parts' answers say about storing.
    var freshness = PartsFreshness()
    private(set) var state = State.waiting
    private var reads = true
    private var isPostponed = false

    enum State {
        case waiting
        /// All parts have ended, and the fetch has not been told yet.
        case gathered(Document)
        /// The fetch has got the head, and some of the document.
        case delivering(Document)
        case failed(Problem)
        case over
    }

    init(_ request: BoundRequest, _ plan: CompositionPlan, _ corridor: Corridor) {
        self.corridor = corridor
        self.plan = plan
        borrowedAsked = Borrowed(request)
        generation = request.generation
        budget = request.whole?.budget ?? PartsBudget(corridor.loop.limits)
        parts = plan.parts.map { PartState(waitsFor: $0.waitsFor) }
    }

    var loop: LoopContext { corridor.loop }

    // MARK: - Orders of the fetch

    override func begin(_ call: UpstreamCall) { self.call = call }

    override func send(_ bytes: UnsafeRawBufferPointer) {
        guard hold(bytes.count) else { return }
        body += bytes
    }

    override func requestEnded() {
        ready = plan.first
        lookAtParts()
    }

    override func setReading(_ reads: Bool) {
        self.reads = reads
        if reads, case .delivering = state { postpone() }
    }

    override func abandon() {
        call = nil
        endCalls()
        end()
    }

    override func tell(_ problem: inout Problem) {
        let names = zip(plan.parts, parts).filter { !$1.isOver && !$1.isWaiting }.map(\.0.name)
        if case .waiting = state { takeEnded() }
        tellDone(in: &problem)
        if !names.isEmpty { problem.part = names.joined(separator: ", ") }
        // There is no upstream that could have been slow.
        problem.upstream = nil
        if let route = asked.route, [.totalTimeout, .firstByteTimeout].contains(problem.kind) {
            problem.detail = "The parts took longer than \(route.totalTimeout.words) in all."
        }
    }

    /// Lists the writes that were carried out: a retry by the client would repeat them.
    private func tellDone(in problem: inout Problem) {
        problem.done = done + problem.done
        if !problem.done.isEmpty { (problem.isRetryable, problem.retryAfterSeconds) = (false, nil) }
    }

    /// Parts that have changed something.
    private var done: [String] {
        zip(plan.parts, parts).flatMap { part, state in part.writes ? state.done(named: part.name) : [] }
    }

    /// Parts to be requested next, by position.
    var ready: [Int] = []

    // MARK: - What parts hold

    /// Counts bytes against the budget; where that is spent, the answer fails.
    func hold(_ count: Int) -> Bool {
        heldBytes += count
        if budget.hold(count) { return true }
        fail(
            Problem(
                .upstreamTooLarge,
                detail: "The parts hold more than \(loop.limits.partsBytes) bytes; 'limits.parts-size' says how many."))
        return false
    }

    /// Bytes that were passed on are counted by the consumer.
    private func release(_ count: Int) {
        let count = min(count, heldBytes)
        heldBytes -= count
        budget.release(count)
    }

    // MARK: - The end

    private func end() {
        state = .over
        release(heldBytes)
    }

    func fail(_ problem: Problem) {
        guard case .waiting = state else { return }
        var problem = problem
        tellDone(in: &problem)
        state = .failed(problem)
        postpone()
    }

    /// All parts have ended.
    func finish() {
        guard case .waiting = state else { return }
        state = .gathered(Document(plan, parts))
    }

    private func endCalls() {
        let open = calls
        calls = []
        answers = [:]
        for call in open { call.abandon() }
    }

    /// Goes on in the next turn.
    func postpone() {
        if isPostponed { return }
        isPostponed = true
        loop.coding.postpone(.delivery, of: self)
    }
}

extension ComposedAnswer: Resumable {
    /// Passes on what has arrived, in a turn of its own, and no more than the reader takes.
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        isPostponed = false
        guard let call else { return }
        if case .waiting = state {
            takeEnded()
            lookAtParts()
        }
        switch state {
        case .waiting, .over: return carryOut()
        case .failed(let problem):
            self.call = nil
            endCalls()
            end()
            call.partsFailed(problem)
        case .gathered(let document):
            state = .delivering(document)
            sendHead(to: call)
            deliver(document, to: call)
        case .delivering(let document): deliver(document, to: call)
        }
        carryOut()
        // Bytes that are held borrow from the document, which is released with this object.
        if call.isAtWork { call.settle() }
    }

    private func sendHead(to call: UpstreamCall) {
        call.response.status = 200
        call.response.version = .http2
        call.response.keepAlive = true
        call.response.framing = .chunked
        call.response.fields.append(.contentType, "application/json")
        let isAuthorized = !CacheAsks(asked.head.fields).isDisjoint(with: [.authorization, .key])
        freshness.write(into: &call.response.fields, isAuthorized: isAuthorized, at: loop.monotonicSeconds)
        call.responseReceived()
    }

    /// Bytes that one turn of the loop passes on, as many as one read from an upstream.
    private static let turnBytes = 256 << 10

    private func deliver(_ document: Document, to call: UpstreamCall) {
        // Links borrow from it until they have been drained.
        loop.keepForTurn(document)
        var room = Self.turnBytes
        while room > 0, reads, self.call != nil, let run = document.next() {
            room -= run.count
            release(run.count)
            call.bodyReceived(run)
        }
        guard self.call != nil else { return }
        guard document.isOver else {
            if reads { postpone() }
            return
        }
        self.call = nil
        end()
        call.responseEnded()
    }
}
