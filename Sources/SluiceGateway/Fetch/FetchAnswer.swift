internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The answer to one attempt, and its handling: it is passed on, decoded, cut, mapped or echoed, as its ``Treatment``
/// says, and goes to the consumer.
///
/// The fetch delivers the bytes that arrive. The answer calls it when the answer is over (`finish`), cannot be handed
/// on (`fail`), is the better one of two (`win`), or redirects the request (`follow`).
final class FetchAnswer {
    let loop: LoopContext
    var treatment = Treatment.awaited
    /// Cuts out a value (with ``Treatment/extract`` alone), or a token in an answer that is passed through.
    var extraction = AnswerExtraction()
    /// Set where the body has a content coding and is read here. With ``Treatment/untouched``, the decoded bytes are
    /// only searched for a token, and the client gets the coded ones.
    var coded: CodedBody?
    var errorBody = ByteScratch()
    /// Rewrites URLs of the upstream as local ones.
    var localURLs: LocalURLEditor?
    /// The pages before this answer, where one request gathers several.
    var pages: PageGathering?

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    var hasHead: Bool { treatment != .awaited }

    func reset() {
        treatment = .awaited
        if extraction.watch != nil { extraction.takeWatch()?.end(loop) }
        if let extractor = extraction.end() {
            loop.counters.drift += extractor.driftCount
            loop.giveBack(extractor)
        }
        if let coded {
            loop.coding.giveBack(coded)
            self.coded = nil
        }
        if localURLs != nil { localURLs = nil }
        errorBody.removeAll()
    }

    /// Another attempt takes its place: bytes that still arrive are dropped.
    func drop() {
        reset()
        treatment = .again
    }

    /// The input buffer that the held slice borrows from is about to be reused.
    func settle() { extraction.settle(keepingIn: loop.pages) }

    // MARK: - Its head

    /// An interim answer has arrived.
    func passInterim(_ fetch: Fetch, _ consumer: FetchConsumer) {
        if fetch.response.status == 100, consumer.request.head.expectsContinue {
            // RFC 9110 §10.1.1: the client gets a 100 only once, from the upstream or the gateway.
            return consumer.sendContinue()
        }
        guard let route = fetch.route, !fetch.hasRival else { return }
        AnswerFields.prepareInterim(&fetch.response, route)
        consumer.interim(fetch.response)
    }

    /// Status first, then shape.
    func judge(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let request = consumer.request
        if Judge.opensTunnel(fetch.response, to: request, isStream: fetch.attempt.carrier?.isStream == true) {
            return openTunnel(fetch, consumer, route)
        }
        if let fault = Judge.fault(in: fetch.response, to: request, route) {
            return fetch.fail(Problem(.upstreamProtocol, detail: "'\(fetch.upstreamName)' \(fault)"))
        }
        treatment = Judge.treatment(of: fetch.response, route, isFollowed: fetch.follows(request, route))
        if let pages = pages, pages.isAnswered, !treatment.mayBePage(status: fetch.response.status) {
            let detail =
                "'\(fetch.upstreamName)' answered with status \(fetch.response.status) in the place of a further page."
            return fetch.fail(Problem(.upstreamProtocol, detail: detail))
        }
        if treatment != .follow { noteSources(fetch, consumer, route) }
        // A checked answer wins only once it is validated; but where its head makes stored answers stale, at its head,
        // because that happens only once.
        let isEffective = route.invalidates && (route.then != nil || !request.upstreamMethod.isSafe)
        if treatment != .extract || isEffective { fetch.win(consumer) }
        if route.invalidates { consumer.upstreamAnswered(&fetch.response, route) }
        let silence = route.isGRPC ? fetch.streamSilence(route) : route.idleNanoseconds ?? loop.waits.body
        let isEndless = treatment == .untouched || treatment == .extract && route.streamsRows
        fetch.answerBegan(boundBy: isEndless ? .progress(silence: silence) : .total)
        if isEndless, goesOn(fetch, route) {
            consumer.isAnswerEndless = true
            fetch.tellBreaker()
        }
        begin(fetch, consumer, route)
    }

    /// Tells the cache of other responses that the answer depends on, beside the one to the original request.
    private func noteSources(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let isRedirected = fetch.redirects.count > 0
        if isRedirected {
            fetch.redirects.restrict(
                &fetch.response, isAuthorized: consumer.request.forwardsAuthorization(route),
                at: loop.monotonicSeconds, now: loop.unixSeconds)
        }
        if isRedirected || pages?.isAnswered == true || treatment == .mapError {
            consumer.noteSource(fetch.response, route)
        }
    }

    /// Whether the answer lasts until one side ends it; its duration is not measured then.
    private func goesOn(_ fetch: Fetch, _ route: Route) -> Bool {
        if route.isGRPC || treatment == .extract { return true }
        // An answer with a length is not a stream, which spares most answers the look at their media type.
        if case .length = fetch.response.framing { return false }
        return EventStream.isOne(fetch.response)
    }

    /// Both sides leave HTTP (RFC 9110 §7.8; RFC 8441 §5).
    private func openTunnel(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        let isStream = fetch.attempt.carrier?.isStream == true
        let fault =
            (isStream ? nil : WebSocketHandshake.fault(in: fetch.response, to: consumer.request.head))
            ?? WebSocketHandshake.choiceFault(in: fetch.response, to: consumer.request.head)
        if let fault {
            return fetch.fail(Problem(.upstreamProtocol, detail: "'\(fetch.upstreamName)': \(fault)"))
        }
        treatment = .tunnel
        // How long the tunnel stays open says nothing about the upstream.
        fetch.attemptEnded()
        fetch.answerBegan(boundBy: .progress(silence: fetch.streamSilence(route)))
        AnswerFields.prepareTunnel(&fetch.response, for: consumer.request, route, isStream: isStream, loop)
        consumer.openTunnel(fetch.response.fields)
    }

    /// The answer has been judged, and its handling begins.
    private func begin(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        switch treatment {
        case .untouched: passOn(fetch, consumer, route)
        case .extract:
            if let problem = Judge.rowsFault(fetch.response, route, upstream: fetch.upstreamName) {
                return fetch.fail(problem)
            }
            beginExtraction(fetch, consumer, route)
            _ = beginDecoding(fetch)
        case .mapError: _ = beginDecoding(fetch)
        case .echo:
            // A token in the answer is kept, though the client does not get the answer.
            if beginTokenSearch(fetch, route) { _ = beginDecoding(fetch) }
        case .follow: break
        case .awaited, .decoded, .edited, .again, .tunnel: preconditionFailure("no answer is judged to be \(treatment)")
        }
    }

    /// - Returns: whether the answer is one with a token to keep.
    private func beginTokenSearch(_ fetch: Fetch, _ route: Route) -> Bool {
        guard let plan = route.answerPlan(for: fetch.response.status) else { return false }
        return plan { plan in
            if plan.tokenSlice == nil { return false }
            beginExtraction(plan, route)
            return true
        }
    }

    /// The content is passed through, decoded or not.
    private func passOn(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        _ = beginTokenSearch(fetch, route)
        if route.localURLs != nil { beginEditing(fetch, consumer, route) }
        if !takeCoding(fetch, consumer, route) { return }
        let framing: AnswerFraming
        if treatment == .decoded || treatment == .edited {
            AnswerFields.prepareDecoded(
                &fetch.response, for: consumer.request, route, fetch.attempt.borrowedEndpoint, loop)
            framing = consumer.request.head.method == .head ? .empty(announcing: nil) : .stream
        } else {
            framing = AnswerFields.preparePassing(
                &fetch.response, for: consumer.request, route, fetch.attempt.borrowedEndpoint, loop)
        }
        if consumer.request.cacheRole == .updates { consumer.noteUntouched(fetch.response, route) }
        consumer.answer(
            status: fetch.response.status, reason: fetch.response.reason, fields: fetch.response.fields,
            framing: framing)
    }

    // MARK: - Its content

    func contentReceived(
        _ bytes: UnsafeRawBufferPointer, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) {
        if let coded {
            decode(bytes, coded, fetch, consumer, route)
        } else {
            take(bytes, fetch, consumer, route)
        }
    }

    /// - Parameter bytes: a piece of the body, already decoded where it is decoded here.
    func take(_ bytes: UnsafeRawBufferPointer, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if fetch.attempt.notes.isOn, treatment != .tunnel {
            fetch.attempt.notes.received(body: bytes, isDecoded: coded != nil)
        }
        switch treatment {
        case .untouched, .decoded:
            if extraction.isActive { extraction.findToken(in: bytes) }
            consumer.answerBody(bytes)
        case .edited:
            if extraction.isActive { extraction.findToken(in: bytes) }
            passEdited(bytes, fetch, consumer, route)
        case .tunnel: consumer.answerBody(bytes)
        case .extract: extract(bytes, fetch, consumer, route)
        case .mapError:
            let room = loop.limits.errorBodyBytes - errorBody.count
            errorBody.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
        case .echo: if extraction.isActive { extraction.findToken(in: bytes) }
        case .awaited, .follow, .again: break
        }
    }

    // MARK: - Its end

    /// The answer has arrived completely.
    func ended(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if let coded, !endDecoding(coded, fetch) { return }
        switch treatment {
        case .untouched, .decoded, .edited:
            findToken(fetch)
            finish(fetch, consumer)
        case .tunnel: finish(fetch, consumer)
        case .extract: endExtraction(fetch, consumer, route)
        case .mapError:
            if route.graphQL != nil, asksInFull(fetch, consumer, route, error: errorBody.bytes) { return }
            fetch.fail(
                Judge.upstreamProblem(
                    fetch.response, errorBody.bytes, route, fetch.upstreamName, now: loop.unixSeconds))
        case .follow: fetch.follow(consumer)
        case .echo:
            findToken(fetch)
            if extraction.isActive, extraction.bearerToken == nil, let path = route.binding.keep?.bearer {
                let isUnusable = extraction.hasUnusableToken
                return fetch.fail(
                    Judge.missingToken(at: path, upstream: fetch.upstreamName, isUnusable: isUnusable))
            }
            echo(fetch, consumer, route)
        case .awaited, .again: break
        }
    }

    /// The end of an answer that was only searched for a token.
    private func findToken(_ fetch: Fetch) {
        if !extraction.isActive { return }
        _ = extraction.finish()
        keepToken(fetch)
    }

    /// The answer has been handed on.
    func finish(_ fetch: Fetch, _ consumer: FetchConsumer) {
        // First, because the consumer may give up the route table that keeps the upstream once it has its answer.
        fetch.attemptEnded()
        if fetch.trailers.count > 0, consumer.request.head.acceptsTrailers || consumer.request.isGRPCCall {
            fetch.trailers.markNominated(by: fetch.response.fields)
            if treatment.changesContent { fetch.trailers.markProofsOfContent() }
            consumer.answerEnd(trailers: fetch.trailers)
        } else {
            consumer.answerEnd()
        }
        fetch.finish()
    }

    /// The upstream has accepted the request's body; the client gets the same body back.
    private func echo(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        // A longer body was sent in pieces, and is not held.
        guard case .length = consumer.request.body.outgoing else {
            return fetch.fail(
                Problem(.upstreamTooLarge, detail: "What was sent is too long to be echoed; raise 'hold:'."))
        }
        let sent = consumer.request.body.whole.bytes
        if route.then?.update != nil { consumer.proved(Array(sent)) }
        prepareExtracted(fetch, consumer, route, length: sent.count)
        // Statuses 204 and 205 allow no content (RFC 9110 §15.3.5, §15.3.6), so the echo gets another status.
        let isEmpty = [204, 205].contains(fetch.response.status)
        consumer.answer(
            status: isEmpty ? 200 : fetch.response.status, reason: isEmpty ? .empty : fetch.response.reason,
            fields: fetch.response.fields, framing: .length(sent.count))
        consumer.answerBody(sent, lifetime: .call)
        finish(fetch, consumer)
    }

    // MARK: - In its place

    /// A value that is already validated is answered in place of the upstream's answer.
    func handOn(value bytes: [UInt8], _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        if route.invalidates { consumer.upstreamAnswered(&fetch.response, route) }
        treatment = .extract
        prepareExtracted(fetch, consumer, route, length: route.streamsRows ? nil : bytes.count)
        consumer.answer(
            status: fetch.response.status, reason: .empty, fields: fetch.response.fields,
            framing: route.streamsRows ? .stream : .length(bytes.count))
        bytes.withUnsafeBytes { consumer.answerBody($0, lifetime: .call) }
        finish(fetch, consumer)
    }
}
