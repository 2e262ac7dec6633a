internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// How far the answer of a fetch has come.
struct AnswerState: ~Copyable {
    var treatment = Treatment.untouched
    var hasHead = false
    /// Pass-through answers are bound by progress, not by `total:`.
    var isUnbounded = false
    /// Both sides have left HTTP.
    var isTunnel = false
    /// How long an unbounded answer may say nothing, nanoseconds.
    var silence: UInt64 = 0
    /// Where the silence of an event stream was extended to.
    var silentUntil: UInt64 = 0
    var plan: AnswerPlan?
    var extractor: Extractor?
    /// Values of sibling bindings.
    var shared: SharedSlices?
    /// The document has been looked at to its end.
    var isWhole = false
    /// Where the answer comes in a coding, and is read here.
    var coded: CodedBody?
    /// It passes through without its coding, which the client does not take.
    var isDecoded = false
    /// The slice, until it is proven.
    var held = Outbox()
    var isStreaming = false
    var fedBytes = 0
    /// An error body, or the token to keep.
    var collected = ByteScratch()
    var redirects = 0

    mutating func reset(_ loop: LoopContext) {
        treatment = .untouched
        hasHead = false
        isUnbounded = false
        isTunnel = false
        silentUntil = 0
        if let extractor { loop.giveBack(extractor) }
        extractor = nil
        if let coded { loop.coding.giveBack(coded) }
        coded = nil
        isDecoded = false
        plan = nil
        shared = nil
        isWhole = false
        if !held.isEmpty { held.removeAll() }
        isStreaming = false
        fedBytes = 0
        collected.removeAll()
    }
}

extension Fetch {
    func passInterim() {
        if response.status == 100, let consumer, consumer.request.head.expectsContinue {
            // RFC 9110 §10.1.1: the client hears it once, whoever says it first.
            consumer.sendContinue()
            return response.reset()
        }
        if let consumer, let route, attempts.rival == nil {
            AnswerFields.prepareInterim(&response, route)
            consumer.interim(response)
        }
        response.reset()
    }

    var upstreamName: String { upstream?.settings.name ?? "" }

    /// The head of the answer is here: status first, then shape.
    func headReceived() {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in judge(consumer, route) } }
    }

    private func judge(_ consumer: FetchConsumer, _ route: Route) {
        answer.hasHead = true
        heedQuota(consumer, route)
        if isGoverned, attemptAnswered(consumer, route) { return }
        if response.status == 101 { return openTunnel(consumer, route) }
        if consumer.request.isUpgrading, carrier?.isStream == true, (200..<300).contains(response.status) {
            return openTunnel(consumer, route)
        }
        // RFC 8441 §5: any 2xx would tell the client that its tunnel is open.
        if consumer.request.head.connectProtocol != .none, (200..<300).contains(response.status) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)' did not change to WebSocket."))
        }
        if Judge.isUnaskedPart(response, route) {
            return fail(
                Problem(
                    .upstreamProtocol,
                    detail: "'\(upstreamName)' answered with a part of the content (206), which was not asked for."))
        }
        answer.treatment = Judge.treatment(of: response, for: self, route)
        // What is checked is good once it is proven, and not before.
        if isGoverned, answer.treatment != .extract || route.invalidates { win(consumer) }
        if route.invalidates { consumer.upstreamAnswered(&response, route) }
        headArrived(
            isUnbounded: answer.treatment == .untouched,
            silence: route.isGRPC ? streamSilence(route) : route.idleNanoseconds ?? loop.waits.body)
        switch answer.treatment {
        case .untouched:
            beginExtraction(route)
            if !takeCoding(for: consumer, route) { return }
            let framing = prepareUntouched(consumer, route)
            if consumer.request.cacheRole == .updates { consumer.noteUntouched(response, route) }
            consumer.answer(
                status: response.status, reason: response.reason, fields: response.fields, framing: framing)
        case .extract:
            if !beginSharedExtraction(consumer, route) { beginExtraction(route) }
            _ = beginDecoding()
        case .mapError: _ = beginDecoding()
        case .follow, .echo, .again: break
        }
    }

    private func prepareUntouched(_ consumer: FetchConsumer, _ route: Route) -> AnswerFraming {
        if answer.isDecoded {
            AnswerFields.prepareDecoded(&response, for: consumer.request, route, self)
            return .stream
        }
        guard response.status == 304, route.cuts(status: 200) else {
            AnswerFields.prepareUntouched(&response, for: consumer.request, route, self)
            return AnswerFields.framing(of: response, for: consumer.request)
        }
        // The cache asks for the upstream's own reasons, and hears them.
        if consumer.request.isFill {
            AnswerFields.prepareUntouched(&response, for: consumer.request, route, self)
        } else {
            AnswerFields.prepareNotModified(&response, for: consumer.request, route, self)
        }
        // What a 304 announces is the length that the 200 would have: nobody knows that of a slice.
        return .empty(announcing: nil)
    }

    /// The answer is a slice, or what stands for one.
    /// - Parameter length: bytes of it; nil where they are not known yet.
    func prepareExtracted(_ consumer: FetchConsumer, _ route: Route, length: Int?) {
        AnswerFields.prepareExtracted(&response, for: consumer.request, route, self)
        if let compression = route.binding.compression, !consumer.request.isFill {
            consumer.negotiateCoding(compression, &response.fields, length: length)
        }
    }

    private func beginExtraction(_ route: Route) {
        guard let plan = route.answerPlan(for: response.status) else { return }
        answer.plan = plan
        answer.extractor = loop.takeExtractor(plan.plan)
    }

    func contentReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        bodyMoved()
        consumer { consumer in
            route { route in
                if let coded = answer.coded {
                    decode(bytes, coded, consumer, route)
                } else {
                    take(bytes, consumer, route)
                }
            }
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ consumer: FetchConsumer, _ route: Route) {
        switch answer.treatment {
        case .untouched:
            if answer.extractor != nil { collectToken(bytes) }
            consumer.answerBody(bytes)
        case .extract: extract(bytes, consumer, route)
        case .mapError:
            let room = loop.limits.errorBodyBytes - answer.collected.count
            answer.collected.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
        case .follow, .echo, .again: break
        }
    }

    /// The token is taken out of an answer that passes through untouched.
    func collectToken(_ bytes: UnsafeRawBufferPointer) {
        guard let extractor = answer.extractor else { return }
        extractor.feed(bytes)
        for piece in extractor.pieces where piece.slice == answer.plan?.tokenSlice {
            answer.collected.append(UnsafeRawBufferPointer(start: piece.base, count: piece.count))
        }
        extractor.clearPieces()
    }

    private func extract(_ bytes: UnsafeRawBufferPointer, _ consumer: FetchConsumer, _ route: Route) {
        guard let extractor = answer.extractor else { return }
        answer.fedBytes += bytes.count
        extractor.feed(bytes)
        takePieces(extractor, of: bytes, consumer, route)
    }

    private func takePieces(
        _ extractor: Extractor, of chunk: UnsafeRawBufferPointer, _ consumer: FetchConsumer, _ route: Route
    ) {
        if hasFailed(extractor) {
            // The rest of a document that is held is still looked at, so that one answer shows all that has drifted.
            let isOver = extractor.failureIsSyntax || answer.isStreaming || answer.fedBytes > route.binding.holdBytes
            if isOver { return failExtraction(extractor, consumer, route) }
            if let shared = answer.shared { takeOthers(extractor, into: shared) }
            return extractor.clearPieces()
        }
        if let shared = answer.shared { takeOthers(extractor, into: shared) }
        for piece in extractor.pieces {
            let run = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            if piece.slice != answer.plan?.valueSlice {
                if answer.shared != nil { continue }
                answer.collected.append(run)
            } else {
                switch piece.lifetime(in: chunk) {
                case .drain: answer.held.borrow(run)
                case .call: answer.held.append(run)
                }
            }
        }
        extractor.clearPieces()
        if !answer.isStreaming, answer.held.count > route.binding.holdBytes { startStreaming(consumer, route) }
        if answer.isStreaming, !answer.held.isEmpty { handOver(to: consumer) }
        if route.binding.early, extractor.isSatisfied, chunk.count > 0 {
            // Nothing behind the slices is looked at, not even to see whether it is JSON.
            let carrier = self.carrier
            connectionReturned()
            carrier?.leaveRest()
            answerExtracted(extractor, consumer, route)
        }
    }

    /// The slice has outgrown `hold`: what is proven goes out now.
    private func startStreaming(_ consumer: FetchConsumer, _ route: Route) {
        answer.isStreaming = true
        win(consumer)
        prepareExtracted(consumer, route, length: nil)
        consumer.answer(
            status: response.status, reason: response.reason, fields: response.fields, framing: .stream)
    }

    /// Taken out of the state first: an consumer whose client takes no more looks into it (``pause()``).
    private func handOver(to consumer: FetchConsumer) {
        var held = Outbox()
        swap(&held, &answer.held)
        consumer.answerBody(moving: &held)
    }

    /// The input that the held slice borrows from is about to be used again.
    func settleHeld() {
        answer.held.settle(keepingIn: loop.pages)
        noteUnsent()
    }

    /// The answer has arrived whole; the connection is back in the pool.
    func answerReceived() {
        connectionReturned()
        if let coded = answer.coded, !endDecoding(coded) { return }
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in conclude(consumer, route) } }
    }

    private func conclude(_ consumer: FetchConsumer, _ route: Route) {
        switch answer.treatment {
        case .untouched:
            if let extractor = answer.extractor {
                extractor.finish()
                keepToken()
            }
            finish(consumer)
        case .extract: endExtraction(consumer, route)
        case .mapError: fail(Judge.upstreamProblem(self, route))
        case .follow: follow(consumer)
        case .echo: echo(consumer, route)
        case .again: break
        }
    }

    func finish(_ consumer: FetchConsumer) {
        if trailers.count > 0, consumer.request.head.acceptsTrailers || consumer.request.isGRPCCall {
            trailers.markNominated(by: response.fields)
            if answer.treatment != .untouched || answer.isDecoded { trailers.markProofsOfContent() }
            consumer.answerEnd(trailers: trailers)
        } else {
            consumer.answerEnd()
        }
        finish()
    }

    private func endExtraction(_ consumer: FetchConsumer, _ route: Route) {
        guard let extractor = answer.extractor else { return }
        extractor.finish()
        answer.isWhole = true
        takePieces(extractor, of: .empty, consumer, route)
        guard borrowedConsumer != nil else { return }
        if hasFailed(extractor) { return failExtraction(extractor, consumer, route) }
        answerExtracted(extractor, consumer, route)
    }

    /// Every slice is proven.
    private func answerExtracted(_ extractor: Extractor, _ consumer: FetchConsumer, _ route: Route) {
        guard let slice = answer.plan?.valueSlice else { return }
        let isAbsent = extractor.state(of: slice) == .absent && !answer.isStreaming
        if !isAbsent || takesAbsent(route) { win(consumer) }
        keepToken()
        if isAbsent { return endAbsent(extractor, consumer, route) }
        if !answer.isStreaming {
            prepareExtracted(consumer, route, length: answer.held.count)
            consumer.answer(
                status: response.status, reason: response.reason, fields: response.fields,
                framing: .length(answer.held.count))
            handOver(to: consumer)
        }
        shareSlices(extractor, consumer, route, isPrepared: true)
        finish(consumer)
    }

    private func takesAbsent(_ route: Route) -> Bool { route.isValueOptional && route.defaultBody == nil }

    /// The wanted value is not in the document.
    private func endAbsent(_ extractor: Extractor, _ consumer: FetchConsumer, _ route: Route) {
        if takesAbsent(route) {
            prepareExtracted(consumer, route, length: 4)
            consumer.answer(
                status: response.status, reason: response.reason, fields: response.fields, framing: .length(4))
            UnsafeRawBufferPointer.withBytes(of: "null") { consumer.answerBody($0) }
            shareSlices(extractor, consumer, route, isPrepared: true)
            return finish(consumer)
        }
        shareSlices(extractor, consumer, route, isPrepared: false)
        fail(Judge.missingValue(route, upstream: upstreamName))
    }

    private func keepToken() {
        guard let slice = answer.plan?.tokenSlice, let upstream, let extractor = answer.extractor,
            extractor.state(of: slice) == .complete
        else { return }
        let json = String(decoding: answer.collected.bytes, as: UTF8.self)
        guard let token = JSONText.unquote(json).map({ Array($0.utf8) }), BearerToken.isValid(token) else { return }
        upstream.vault.set(token)
    }
}

extension UnsafeRawBufferPointer {
    static func withBytes(of text: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
