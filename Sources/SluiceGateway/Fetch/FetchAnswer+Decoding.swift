internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// Decodes an answer whose coded body the gateway reads (RFC 9110 §8.4). An answer that is passed through keeps its
/// coding, unless the gateway asked for that coding and the client does not accept it.
extension FetchAnswer {
    /// The head of an answer that is passed through has arrived: decides whether to decode it, for the client or to
    /// find a token.
    /// - Returns: whether the fetch goes on; else it has failed.
    func takeCoding(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) -> Bool {
        let isChosenHere = route.isTyped && fetch.response.framing != .none && fetch.response.framing != .length(0)
        if isChosenHere, fetch.response.fields.firstIndex(of: .contentEncoding) != nil {
            if !consumer.request.isFill { fetch.response.fields.append(.vary, "Accept-Encoding") }
            if treatment == .untouched, !consumer.request.takesCoding(of: fetch.response.fields) {
                treatment = .decoded
            }
        }
        guard extraction.isActive || treatment == .decoded || localURLs != nil else { return true }
        guard beginDecoding(fetch) else { return false }
        if let coded, localURLs != nil, [BodyFraming.none, .length(0)].contains(fetch.response.framing) {
            // The client has not got the head yet.
            spoil(coded, .truncated, fetch)
            return false
        }
        // An answer in an unknown coding stays as it is, and keeps its `Content-Encoding`.
        if coded == nil, treatment == .decoded || fetch.response.fields.firstIndex(of: .contentEncoding) != nil {
            treatment = .untouched
        }
        return true
    }

    /// The head of an answer whose body is read has arrived.
    /// - Returns: whether the fetch goes on; else it has failed.
    func beginDecoding(_ fetch: Fetch) -> Bool {
        if fetch.response.fields.firstIndex(of: .contentEncoding) == nil { return true }
        let coding = AnswerCoding.choose(
            for: fetch.response.fields, codingsMax: loop.limits.contentCodings, isNeeded: treatment == .extract,
            upstream: fetch.upstreamName)
        switch coding {
        case .plain, .skipped: return true
        case .coded(let codings):
            coded = loop.coding.take(codings, limits: DecodingLimits(loop.limits))
            return true
        case .refused(let problem):
            fetch.fail(problem)
            return false
        }
    }

    /// A piece of a coded answer.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ coded: CodedBody, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) {
        // The client gets the coded bytes; the decoded ones are only searched for a token.
        if treatment == .untouched {
            if fetch.attempt.notes.isOn { fetch.attempt.notes.received(body: bytes, isDecoded: false) }
            consumer.answerBody(bytes)
        }
        if coded.isSpoilt { return }
        let outcome = coded.arrived(
            bytes, in: loop.coding, while: { !coded.isHeld }, { takeDecoded($0, coded, fetch, consumer, route) })
        switch outcome {
        case .caughtUp, .over: break
        case .waits:
            fetch.setReading(false)
            postpone(coded, of: fetch)
        case .failed(let fault): spoil(coded, fault, fetch)
        }
    }

    private func postpone(_ coded: CodedBody, of fetch: Fetch) {
        if !coded.isHeld { coded.postpone(of: fetch, in: loop.coding) }
    }

    /// The client has fallen behind.
    func pause() { coded?.isHeld = true }

    /// The client has caught up.
    /// - Returns: whether to read on from the upstream; else bytes that have already arrived come first.
    func mayReadOn(_ fetch: Fetch) -> Bool {
        guard let coded else { return true }
        coded.isHeld = false
        if coded.isWaiting { postpone(coded, of: fetch) }
        return !coded.isWaiting
    }

    /// Continues decoding that was postponed.
    func resumeDecoding(_ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route) {
        guard let coded, coded.isPostponed else { return }
        let outcome = coded.resume(
            in: loop.coding, while: { !coded.isHeld }, { takeDecoded($0, coded, fetch, consumer, route) })
        switch outcome {
        case .caughtUp, .over: break
        case .waits: return postpone(coded, of: fetch)
        case .failed(let fault): spoil(coded, fault, fetch)
        }
        guard self.coded === coded else { return }
        if coded.isWhole { return fetch.responseEnded() }
        if !coded.isHeld { fetch.setReading(true) }
    }

    /// - Returns: whether the rest of the answer is wanted.
    private func takeDecoded(
        _ run: UnsafeRawBufferPointer, _ coded: CodedBody, _ fetch: Fetch, _ consumer: FetchConsumer, _ route: Route
    ) -> Bool {
        if treatment == .untouched {
            extraction.findToken(in: run)
            return true
        }
        take(run, fetch, consumer, route)
        guard self.coded === coded else { return false }
        if treatment == .mapError, errorBody.count >= loop.limits.errorBodyBytes { coded.spoil() }
        return !coded.isSpoilt
    }

    /// The coded answer has ended.
    /// - Returns: whether all decoded bytes have been taken; else they will be later, or the fetch has failed.
    func endDecoding(_ coded: CodedBody, _ fetch: Fetch) -> Bool {
        if coded.isSpoilt { return true }
        if coded.isWaiting {
            // The connection has been given back, so no input will trigger `settle()`: it is called here.
            coded.isWhole = true
            fetch.settle()
            return false
        }
        do throws(CodingFault) {
            try coded.finish()
            if coded.isEmpty, !mayBeEmpty { throw CodingFault.truncated }
            return true
        } catch {
            spoil(coded, error, fetch)
            return self.coded === coded
        }
    }

    /// Whether a body without the first byte of its coding may be one without content. JSON has no such document, which
    /// the extraction tells by itself; no rows, and JSON that is not checked, would pass for the whole.
    private var mayBeEmpty: Bool {
        switch treatment {
        case .extract: extraction.rows == nil
        case .edited: localURLs == nil
        case .untouched, .decoded, .mapError, .echo, .follow, .awaited, .again, .tunnel: true
        }
    }

    /// The body cannot be decoded, and the fetch fails; unless only an error message or a token was wanted of it.
    private func spoil(_ coded: CodedBody, _ fault: CodingFault, _ fetch: Fetch) {
        coded.spoil()
        guard treatment == .extract || treatment == .decoded || treatment == .edited else { return }
        fetch.fail(
            Problem(
                fault.isLimit ? .upstreamTooLarge : .upstreamProtocol,
                detail:
                    "The answer of '\(fetch.upstreamName)' is in content coding \(coded.codings) and \(fault.reason)."))
    }
}
