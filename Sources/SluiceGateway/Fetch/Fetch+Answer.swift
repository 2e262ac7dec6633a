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

    mutating func reset(_ gateway: Gateway) {
        treatment = .untouched
        hasHead = false
        isUnbounded = false
        isTunnel = false
        silentUntil = 0
        if let extractor { gateway.giveBack(extractor) }
        extractor = nil
        if let coded { gateway.coding.giveBack(coded) }
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
    func interimReceived() {
        if response.status == 100, let exchange, exchange.request.expectsContinue {
            // RFC 9110 §10.1.1: the client hears it once, whoever says it first.
            exchange.sendContinue()
            return response.reset()
        }
        if let exchange, let route, attempts.rival == nil {
            AnswerFields.prepareInterim(&response, route)
            exchange.interim(response)
        }
        response.reset()
    }

    var upstreamName: String { upstream?.settings.name ?? "" }

    /// The head of the answer is here: status first, then shape.
    func responseReceived() {
        guard let exchange = borrowedExchange, let route = borrowedRoute else { return }
        exchange { exchange in route { route in judge(exchange, route) } }
    }

    private func judge(_ exchange: Exchange, _ route: Route) {
        answer.hasHead = true
        heedQuota(exchange, route)
        if isGoverned, attemptAnswered(exchange, route) { return }
        if response.status == 101 { return openTunnel(exchange, route) }
        if exchange.isUpgrading, carrier?.isStream == true, (200..<300).contains(response.status) {
            return openTunnel(exchange, route)
        }
        // RFC 8441 §5: any 2xx would tell the client that its tunnel is open.
        if exchange.request.connectProtocol != .none, (200..<300).contains(response.status) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)' did not change to WebSocket."))
        }
        if Judge.isUnaskedPart(response, route) {
            return fail(
                Problem(
                    .upstreamProtocol,
                    detail: "'\(upstreamName)' answered with a part of the content (206), which was not asked for."))
        }
        answer.treatment = Judge.treatment(of: response, for: exchange, route)
        // What is checked is good once it is proven, and not before.
        if isGoverned, answer.treatment != .extract || route.invalidates { win(exchange) }
        if route.invalidates { exchange.heedForCache(&response, route) }
        headArrived(
            isUnbounded: answer.treatment == .untouched,
            silence: route.isGRPC ? streamSilence(route) : route.idleNanoseconds ?? gateway.waits.body)
        switch answer.treatment {
        case .untouched:
            beginExtraction(route)
            if !takeCoding(for: exchange, route) { return }
            let framing = prepareUntouched(exchange, route)
            if exchange.upstreamMethod == .head, exchange.feedsCache { exchange.updateStored(by: response, route) }
            exchange.answer(
                status: response.status, reason: response.reason, fields: response.fields, framing: framing)
        case .extract:
            if !beginSharedExtraction(exchange, route) { beginExtraction(route) }
            _ = beginDecoding()
        case .mapError: _ = beginDecoding()
        case .follow, .echo, .again: break
        }
    }

    private func prepareUntouched(_ exchange: Exchange, _ route: Route) -> AnswerFraming {
        if answer.isDecoded {
            AnswerFields.prepareDecoded(&response, for: exchange, route)
            return .stream
        }
        guard response.status == 304, route.cuts(status: 200) else {
            AnswerFields.prepareUntouched(&response, for: exchange, route)
            return AnswerFields.framing(of: response, for: exchange)
        }
        // The cache asks for the upstream's own reasons, and hears them.
        if exchange.isFill {
            AnswerFields.prepareUntouched(&response, for: exchange, route)
        } else {
            AnswerFields.prepareNotModified(&response, for: exchange, route)
        }
        // What a 304 announces is the length that the 200 would have: nobody knows that of a slice.
        return .empty(announcing: nil)
    }

    private func beginExtraction(_ route: Route) {
        guard let plan = route.answerPlan(for: response.status) else { return }
        answer.plan = plan
        answer.extractor = gateway.takeExtractor(plan.plan)
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let exchange = borrowedExchange, let route = borrowedRoute else { return }
        bodyMoved()
        exchange { exchange in
            route { route in
                if let coded = answer.coded {
                    decode(bytes, coded, exchange, route)
                } else {
                    take(bytes, exchange, route)
                }
            }
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange, _ route: Route) {
        switch answer.treatment {
        case .untouched:
            if answer.extractor != nil { collectToken(bytes) }
            exchange.answerBody(bytes)
        case .extract: extract(bytes, exchange, route)
        case .mapError:
            let room = gateway.limits.errorBodyBytes - answer.collected.count
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

    private func extract(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange, _ route: Route) {
        guard let extractor = answer.extractor else { return }
        answer.fedBytes += bytes.count
        extractor.feed(bytes)
        takePieces(extractor, of: bytes, exchange, route)
    }

    private func takePieces(
        _ extractor: Extractor, of chunk: UnsafeRawBufferPointer, _ exchange: Exchange, _ route: Route
    ) {
        if hasFailed(extractor) {
            // The rest of a document that is held is still looked at, so that one answer shows all that has drifted.
            let isOver = extractor.failureIsSyntax || answer.isStreaming || answer.fedBytes > route.binding.holdBytes
            if isOver { return failExtraction(extractor, exchange, route) }
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
        if !answer.isStreaming, answer.held.count > route.binding.holdBytes { startStreaming(exchange, route) }
        if answer.isStreaming, !answer.held.isEmpty { handOver(to: exchange) }
        if route.binding.early, extractor.isSatisfied, chunk.count > 0 {
            // Nothing behind the slices is looked at, not even to see whether it is JSON.
            let carrier = self.carrier
            connectionReturned()
            carrier?.leaveRest()
            answerExtracted(extractor, exchange, route)
        }
    }

    /// The slice has outgrown `hold`: what is proven goes out now.
    private func startStreaming(_ exchange: Exchange, _ route: Route) {
        answer.isStreaming = true
        win(exchange)
        AnswerFields.prepareExtracted(&response, for: exchange, route, length: nil)
        exchange.answer(
            status: response.status, reason: response.reason, fields: response.fields, framing: .stream)
    }

    /// Taken out of the state first: an exchange whose client takes no more looks into it (``pause()``).
    private func handOver(to exchange: Exchange) {
        var held = Outbox()
        swap(&held, &answer.held)
        exchange.answerBody(moving: &held)
    }

    /// The input that the held slice borrows from is about to be used again.
    func settle() {
        answer.held.settle(keepingIn: gateway.pages)
        noteUnsent()
    }

    /// The answer has arrived whole; the connection is back in the pool.
    func responseEnded() {
        connectionReturned()
        if let coded = answer.coded, !endDecoding(coded) { return }
        guard let exchange = borrowedExchange, let route = borrowedRoute else { return }
        exchange { exchange in route { route in conclude(exchange, route) } }
    }

    private func conclude(_ exchange: Exchange, _ route: Route) {
        switch answer.treatment {
        case .untouched:
            if let extractor = answer.extractor {
                extractor.finish()
                keepToken()
            }
            finish(exchange)
        case .extract: endExtraction(exchange, route)
        case .mapError: fail(Judge.upstreamProblem(self, route))
        case .follow: follow(exchange)
        case .echo: echo(exchange, route)
        case .again: break
        }
    }

    func finish(_ exchange: Exchange) {
        if trailers.count > 0, exchange.request.acceptsTrailers || exchange.isGRPCCall {
            trailers.markNominated(by: response.fields)
            if answer.treatment != .untouched || answer.isDecoded { trailers.markProofsOfContent() }
            exchange.answerEnd(trailers: trailers)
        } else {
            exchange.answerEnd()
        }
        finish()
    }

    private func endExtraction(_ exchange: Exchange, _ route: Route) {
        guard let extractor = answer.extractor else { return }
        extractor.finish()
        answer.isWhole = true
        takePieces(extractor, of: .empty, exchange, route)
        guard borrowedExchange != nil else { return }
        if hasFailed(extractor) { return failExtraction(extractor, exchange, route) }
        answerExtracted(extractor, exchange, route)
    }

    /// Every slice is proven.
    private func answerExtracted(_ extractor: Extractor, _ exchange: Exchange, _ route: Route) {
        guard let slice = answer.plan?.valueSlice else { return }
        let isAbsent = extractor.state(of: slice) == .absent && !answer.isStreaming
        if !isAbsent || takesAbsent(route) { win(exchange) }
        keepToken()
        if isAbsent { return endAbsent(extractor, exchange, route) }
        if !answer.isStreaming {
            AnswerFields.prepareExtracted(&response, for: exchange, route, length: answer.held.count)
            exchange.answer(
                status: response.status, reason: response.reason, fields: response.fields,
                framing: .length(answer.held.count))
            handOver(to: exchange)
        }
        shareSlices(extractor, exchange, route, isPrepared: true)
        finish(exchange)
    }

    private func takesAbsent(_ route: Route) -> Bool { route.isValueOptional && route.defaultBody == nil }

    /// The wanted value is not in the document.
    private func endAbsent(_ extractor: Extractor, _ exchange: Exchange, _ route: Route) {
        if takesAbsent(route) {
            AnswerFields.prepareExtracted(&response, for: exchange, route, length: 4)
            exchange.answer(
                status: response.status, reason: response.reason, fields: response.fields, framing: .length(4))
            UnsafeRawBufferPointer.withBytes(of: "null") { exchange.answerBody($0) }
            shareSlices(extractor, exchange, route, isPrepared: true)
            return finish(exchange)
        }
        shareSlices(extractor, exchange, route, isPrepared: false)
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
