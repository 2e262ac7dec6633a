internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// A request's body in a content coding that is checked here; it goes upstream without its coding. One that only passes
/// goes on as it came.
extension Exchange {
    /// A piece of a coded body.
    func decode(_ bytes: UnsafeRawBufferPointer, _ coded: CodedBody) {
        switch coded.arrived(bytes, in: loop.coding, while: { takesDecoded }, { useDecoded($0) }) {
        case .caughtUp, .over: break
        case .waits: postpone(coded)
        case .failed(let fault): fail(fault, coded)
        }
    }

    private func postpone(_ coded: CodedBody) {
        if takesDecoded { coded.postpone(of: self, in: loop.coding) }
    }

    /// Whether what comes out of the decoder can be used now.
    private var takesDecoded: Bool { request.body.isCollecting || borrowedFetch?({ $0.takesBody }) == true }

    /// - Returns: whether the rest of the body is wanted.
    private func useDecoded(_ run: UnsafeRawBufferPointer) -> Bool {
        if request.body.isCollecting { walk(collect(run)) } else { streamChecked(run) }
        return phase != .answered
    }

    /// The upstream takes the body, or more of it.
    func goOnWithBody() {
        if let coded = request.body.coded, coded.isWaiting { postpone(coded) } else { sink?.resumeRequestBody() }
    }

    /// Goes on with what had to wait.
    func resumeDecoding() {
        guard phase != .answered, let coded = request.body.coded, coded.isPostponed else { return }
        switch coded.resume(in: loop.coding, while: { takesDecoded }, { useDecoded($0) }) {
        case .caughtUp: sink?.resumeRequestBody()
        case .over: break
        case .waits: postpone(coded)
        case .failed(let fault): fail(fault, coded)
        }
    }

    /// The coded body has ended.
    /// - Returns: whether it is whole; else the exchange has failed.
    func endDecoding(_ coded: CodedBody) -> Bool {
        do throws(CodingFault) {
            try coded.finish()
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
