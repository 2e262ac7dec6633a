internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// An answer in a content coding that is looked into here (RFC 9110 §8.4). One that only passes goes on as it came,
/// unless it came in a coding that the gateway had asked for and its client does not take.
extension FetchAnswer {
    /// The head of an answer that passes through is here: is it decoded, for the client or for a token in it?
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
        // One that is not known here stays as it is, and says what it is.
        if coded == nil, treatment == .decoded || fetch.response.fields.firstIndex(of: .contentEncoding) != nil {
            treatment = .untouched
        }
        return true
    }

    /// The head of an answer that is read is here.
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
        // The client gets it as it is; the token is looked for on the side.
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

    /// The client takes no more at present.
    func pause() { coded?.isHeld = true }

    /// The client takes more again.
    /// - Returns: whether the upstream is read on; else what has arrived comes first.
    func mayReadOn(_ fetch: Fetch) -> Bool {
        guard let coded else { return true }
        coded.isHeld = false
        if coded.isWaiting { postpone(coded, of: fetch) }
        return !coded.isWaiting
    }

    /// Goes on with what had to wait.
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
    /// - Returns: whether what came out of it is whole; else it will be, or the fetch has failed.
    func endDecoding(_ coded: CodedBody, _ fetch: Fetch) -> Bool {
        if coded.isSpoilt { return true }
        if coded.isWaiting {
            // No connection will have this fetch settle what it borrows: it has none any more.
            coded.isWhole = true
            fetch.settle()
            return false
        }
        do throws(CodingFault) {
            try coded.finish()
            return true
        } catch {
            spoil(coded, error, fetch)
            return self.coded === coded
        }
    }

    /// What is wanted of the answer is lost; unless all that was wanted of it was a message or a token.
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
