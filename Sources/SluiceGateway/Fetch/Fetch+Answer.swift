internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The answer, as it arrives.
extension Fetch {
    func passInterim() {
        defer { response.reset() }
        guard let consumer else { return }
        if response.status == 100, consumer.request.head.expectsContinue {
            // RFC 9110 §10.1.1: the client hears it once, whoever says it first.
            return consumer.sendContinue()
        }
        guard let route, attempts?.rival == nil else { return }
        AnswerFields.prepareInterim(&response, route)
        consumer.interim(response)
    }

    // MARK: - Its head

    func headReceived() {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in judge(consumer, route) } }
    }

    /// Status first, then shape.
    private func judge(_ consumer: FetchConsumer, _ route: Route) {
        noteQuota(consumer, route)
        if attempts != nil, attemptAnswered(consumer, route) { return }
        let request = consumer.request
        if Judge.opensTunnel(response, to: request, isStream: carrierState.carrier?.isStream == true) {
            return openTunnel(consumer, route)
        }
        if let fault = Judge.fault(in: response, to: request, route) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)' \(fault)"))
        }
        answer.treatment = Judge.treatment(of: response, route, isFollowed: follows(request, route))
        // What is checked is good once it is proven, and not before.
        if answer.treatment != .extract || route.invalidates { win(consumer) }
        if route.invalidates { consumer.upstreamAnswered(&response, route) }
        let silence = route.isGRPC ? streamSilence(route) : route.idleNanoseconds ?? loop.waits.body
        answerBegan(boundBy: answer.treatment == .untouched ? .progress(silence: silence) : .total)
        switch answer.treatment {
        case .untouched: passOn(consumer, route)
        case .extract:
            beginExtraction(consumer, route)
            _ = beginDecoding()
        case .mapError: _ = beginDecoding()
        case .echo, .follow: break
        case .awaited, .decoded, .again, .tunnel: preconditionFailure("no answer is judged \(answer.treatment)")
        }
    }

    /// The content passes through, with its coding or without.
    private func passOn(_ consumer: FetchConsumer, _ route: Route) {
        if let plan = route.answerPlan(for: response.status), plan.tokenSlice != nil { beginExtraction(plan, route) }
        if !takeCoding(for: consumer, route) { return }
        let framing: AnswerFraming
        if answer.treatment == .decoded {
            AnswerFields.prepareDecoded(&response, for: consumer.request, route, borrowedEndpoint, loop)
            framing = .stream
        } else {
            framing = AnswerFields.preparePassing(&response, for: consumer.request, route, borrowedEndpoint, loop)
        }
        if consumer.request.cacheRole == .updates { consumer.noteUntouched(response, route) }
        consumer.answer(status: response.status, reason: response.reason, fields: response.fields, framing: framing)
    }

    /// Both sides leave HTTP (RFC 9110 §7.8; RFC 8441 §5).
    private func openTunnel(_ consumer: FetchConsumer, _ route: Route) {
        let isStream = carrierState.carrier?.isStream == true
        if !isStream, let fault = WebSocketHandshake.fault(in: response, to: consumer.request.head) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)': \(fault)"))
        }
        answer.treatment = .tunnel
        answerBegan(boundBy: .progress(silence: streamSilence(route)))
        AnswerFields.prepareTunnel(&response, for: consumer.request, route, isStream: isStream, loop)
        consumer.openTunnel(response.fields)
    }

    // MARK: - Its content

    func contentReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        bytesMoved()
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

    /// - Parameter bytes: without a coding that is decoded here.
    func take(_ bytes: UnsafeRawBufferPointer, _ consumer: FetchConsumer, _ route: Route) {
        switch answer.treatment {
        case .untouched, .decoded:
            if answer.extraction.isActive { answer.extraction.findToken(in: bytes) }
            consumer.answerBody(bytes)
        case .tunnel: consumer.answerBody(bytes)
        case .extract: extract(bytes, consumer, route)
        case .mapError:
            let room = loop.limits.errorBodyBytes - answer.errorBody.count
            answer.errorBody.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
        case .awaited, .echo, .follow, .again: break
        }
    }

    // MARK: - Its end

    /// The answer has arrived whole; the connection is back in the pool.
    func answerReceived() {
        carrierState.carrierLeft()
        if let coded = answer.coded, !endDecoding(coded) { return }
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in conclude(consumer, route) } }
    }

    private func conclude(_ consumer: FetchConsumer, _ route: Route) {
        switch answer.treatment {
        case .untouched, .decoded:
            if answer.extraction.isActive {
                _ = answer.extraction.finish()
                keepToken()
            }
            finish(consumer)
        case .tunnel: finish(consumer)
        case .extract: endExtraction(consumer, route)
        case .mapError:
            fail(Judge.upstreamProblem(response, answer.errorBody.bytes, route, upstreamName, now: loop.unixSeconds))
        case .follow: follow(consumer)
        case .echo: echo(consumer, route)
        case .awaited, .again: break
        }
    }

    func finish(_ consumer: FetchConsumer) {
        if trailers.count > 0, consumer.request.head.acceptsTrailers || consumer.request.isGRPCCall {
            trailers.markNominated(by: response.fields)
            if answer.treatment.changesContent { trailers.markProofsOfContent() }
            consumer.answerEnd(trailers: trailers)
        } else {
            consumer.answerEnd()
        }
        finish()
    }

    /// The upstream has accepted what was sent; the client gets it back.
    private func echo(_ consumer: FetchConsumer, _ route: Route) {
        // What is longer has gone out in pieces.
        guard case .length = consumer.request.body.outgoing else {
            return fail(Problem(.upstreamTooLarge, detail: "What was sent is too long to be echoed; raise 'hold:'."))
        }
        let sent = consumer.request.body.whole.bytes
        prepareExtracted(consumer, route, length: sent.count)
        // What has no content by its status (RFC 9110 §15.3.5, §15.3.6) gets another one together with its content.
        let isEmpty = [204, 205].contains(response.status)
        consumer.answer(
            status: isEmpty ? 200 : response.status, reason: isEmpty ? .empty : response.reason,
            fields: response.fields, framing: .length(sent.count))
        consumer.answerBody(sent, lifetime: .call)
        finish(consumer)
    }
}
