internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// A request's body in a content coding that is checked here; it goes upstream without its coding. One that only passes
/// goes on as it came.
extension Exchange {
    /// A piece of a coded body.
    func decode(_ bytes: UnsafeRawBufferPointer, _ coded: CodedBody) {
        if coded.isWaiting { return coded.keep(bytes) }
        let number = coded.number
        var rest = bytes
        if decodeSlice(of: &rest, coded) || !isAtWork(coded, number) { return }
        coded.keep(rest)
        postpone(coded)
    }

    /// Whether this body is still the one in the decoder. The exchange may have ended under a call, and both of them
    /// may serve the next request already.
    private func isAtWork(_ coded: CodedBody, _ number: Int) -> Bool {
        request.body.coded === coded && coded.number == number && phase != .answered
    }

    private func postpone(_ coded: CodedBody) {
        if coded.isPostponed || !takesDecoded { return }
        coded.isPostponed = true
        loop.coding.postpone(.decoding, of: self)
    }

    /// Whether what comes out of the decoder can be used now.
    private var takesDecoded: Bool { request.body.isCollecting || borrowedFetch?({ $0.takesBody }) == true }

    /// The upstream takes the body, or more of it.
    func goOnWithBody() {
        if let coded = request.body.coded, coded.isWaiting { postpone(coded) } else { sink?.resumeRequestBody() }
    }

    /// Goes on with what had to wait.
    func resumeDecoding() {
        guard let coded = request.body.coded, coded.isPostponed else { return }
        coded.isPostponed = false
        let number = coded.number
        var rest = coded.waiting
        let before = rest.count
        let isStarved = decodeSlice(of: &rest, coded)
        guard isAtWork(coded, number) else { return }
        guard isStarved else {
            coded.consume(before - rest.count)
            return postpone(coded)
        }
        coded.caughtUp()
        sink?.resumeRequestBody()
    }

    /// Decodes as much as this turn has room for.
    /// - Returns: whether all of `rest` has come out.
    private func decodeSlice(of rest: inout UnsafeRawBufferPointer, _ coded: CodedBody) -> Bool {
        let number = coded.number
        while takesDecoded, let room = loop.coding.room() {
            let progress: ContentDecoder.Progress
            do throws(CodingFault) {
                progress = try coded.decoder.decode(rest, into: room)
            } catch {
                fail(error, coded)
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if progress.produced > 0 {
                coded.decodedBytes += progress.produced
                let run = loop.coding.claim(progress.produced)
                if request.body.isCollecting { walk(collect(run)) } else { streamChecked(run) }
                guard isAtWork(coded, number) else { return false }
            }
            if progress.isStarved { return true }
        }
        return false
    }

    /// The coded body has ended.
    /// - Returns: whether it is whole; else the exchange has failed.
    func endDecoding(_ coded: CodedBody) -> Bool {
        do throws(CodingFault) {
            try coded.decoder.finish()
            return true
        } catch {
            fail(error, coded)
            return false
        }
    }

    private func fail(_ fault: CodingFault, _ coded: CodedBody) {
        request.body.isCollecting = false
        fail(
            Problem(
                fault.isLimit ? .contentTooLarge : .badBody,
                detail: "The body is in content coding \(coded.codings) and \(fault.reason)."))
    }
}

extension Exchange: Resumable {
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        switch work {
        case .decoding: resumeDecoding()
        case .coding, .delivery: resumeCoding()
        }
        carryOut()
    }
}
