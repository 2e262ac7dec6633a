internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// An answer in a content coding that is looked into here (RFC 9110 §8.4). One that only passes goes on as it came,
/// unless it came in a coding that the gateway had asked for and its client does not take.
extension Fetch {
    /// The head of an answer that passes through is here: is it decoded, for the client or for a token in it?
    /// - Returns: whether the fetch goes on; else it has failed.
    func takeCoding(for consumer: FetchConsumer, _ route: Route) -> Bool {
        let isChosenHere = route.isTyped && response.framing != .none && response.framing != .length(0)
        if isChosenHere, response.fields.firstIndex(of: .contentEncoding) != nil {
            if !consumer.request.isFill { response.fields.append(.vary, "Accept-Encoding") }
            if !consumer.request.takesCoding(of: response.fields) { answer.treatment = .decoded }
        }
        guard answer.extraction.isActive || answer.treatment == .decoded else { return true }
        guard beginDecoding() else { return false }
        // One that is not known here stays as it is, and says what it is.
        if answer.coded == nil { answer.treatment = .untouched }
        return true
    }

    /// The head of an answer that is read is here.
    /// - Returns: whether the fetch goes on; else it has failed.
    func beginDecoding() -> Bool {
        if response.fields.firstIndex(of: .contentEncoding) == nil { return true }
        let coding = AnswerCoding.choose(
            for: response.fields, codingsMax: loop.limits.contentCodings, isNeeded: answer.treatment == .extract,
            upstream: upstreamName)
        switch coding {
        case .plain, .skipped: return true
        case .coded(let codings):
            answer.coded = loop.coding.take(codings, limits: DecodingLimits(loop.limits))
            return true
        case .refused(let problem):
            fail(problem)
            return false
        }
    }

    /// A piece of a coded answer.
    func decode(_ bytes: UnsafeRawBufferPointer, _ coded: CodedBody, _ consumer: FetchConsumer, _ route: Route) {
        // The client gets it as it is; the token is looked for on the side.
        if answer.treatment == .untouched { consumer.answerBody(bytes) }
        if coded.isSpoilt { return }
        if coded.isWaiting { return coded.keep(bytes) }
        var rest = bytes
        guard !decodeSlice(of: &rest, coded, consumer, route), answer.coded === coded, !coded.isSpoilt else { return }
        coded.keep(rest)
        carrierState.carrier?.setReading(false)
        postpone(coded)
    }

    private func postpone(_ coded: CodedBody) {
        if coded.isHeld || coded.isPostponed { return }
        coded.isPostponed = true
        loop.coding.postpone(.decoding, of: self)
    }

    /// The client takes more again.
    /// - Returns: whether the upstream is read on; else what has arrived comes first.
    func goesOn(_ coded: CodedBody) -> Bool {
        coded.isHeld = false
        if coded.isWaiting { postpone(coded) }
        return !coded.isWaiting
    }

    /// Goes on with what had to wait.
    func resumeDecoding() {
        guard let coded = answer.coded, coded.isPostponed, let consumer = borrowedConsumer, let route = borrowedRoute
        else { return }
        coded.isPostponed = false
        consumer { consumer in route { route in resumeDecoding(coded, consumer, route) } }
    }

    private func resumeDecoding(_ coded: CodedBody, _ consumer: FetchConsumer, _ route: Route) {
        var rest = coded.waiting
        let before = rest.count
        let isStarved = decodeSlice(of: &rest, coded, consumer, route)
        guard answer.coded === coded else { return }
        if !isStarved, !coded.isSpoilt {
            coded.consume(before - rest.count)
            return postpone(coded)
        }
        coded.caughtUp()
        if coded.isWhole { return responseEnded() }
        if !coded.isHeld { carrierState.carrier?.setReading(true) }
    }

    /// Decodes as much as this turn has room for.
    /// - Returns: whether all of `rest` has come out.
    private func decodeSlice(
        of rest: inout UnsafeRawBufferPointer, _ coded: CodedBody, _ consumer: FetchConsumer, _ route: Route
    ) -> Bool {
        while !coded.isHeld, let room = loop.coding.room() {
            let progress: ContentDecoder.Progress
            do throws(CodingFault) {
                progress = try coded.decoder.decode(rest, into: room)
            } catch {
                spoil(coded, error)
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if progress.produced > 0 {
                takeDecoded(loop.coding.claim(progress.produced), coded, consumer, route)
                if answer.coded !== coded || coded.isSpoilt { return false }
            }
            if progress.isStarved { return true }
        }
        return false
    }

    private func takeDecoded(
        _ run: UnsafeRawBufferPointer, _ coded: CodedBody, _ consumer: FetchConsumer, _ route: Route
    ) {
        if answer.treatment == .untouched { return answer.extraction.findToken(in: run) }
        take(run, consumer, route)
        if answer.treatment == .mapError, answer.errorBody.count >= loop.limits.errorBodyBytes {
            coded.isSpoilt = true
        }
    }

    /// The coded answer has ended.
    /// - Returns: whether what came out of it is whole; else it will be, or the fetch has failed.
    func endDecoding(_ coded: CodedBody) -> Bool {
        if coded.isSpoilt { return true }
        if coded.isWaiting {
            // No connection will have this fetch settle what it borrows: it has none any more.
            coded.isWhole = true
            settle()
            return false
        }
        do throws(CodingFault) {
            try coded.decoder.finish()
            return true
        } catch {
            spoil(coded, error)
            return coded.isSpoilt
        }
    }

    /// What is wanted of the answer is lost; unless all that was wanted of it was a message or a token.
    private func spoil(_ coded: CodedBody, _ fault: CodingFault) {
        coded.isSpoilt = true
        guard answer.treatment == .extract || answer.treatment == .decoded else { return }
        fail(
            Problem(
                fault.isLimit ? .upstreamTooLarge : .upstreamProtocol,
                detail: "The answer of '\(upstreamName)' is in content coding \(coded.codings) and \(fault.reason)."))
    }
}

extension Fetch: Resumable {
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        resumeDecoding()
        carryOut()
        settle()
    }
}
