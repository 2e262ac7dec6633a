internal import SluiceContract

extension HTTP1ServerMachine {
    mutating func readContent(_ left: Int) -> Event {
        guard input.count > 0 else { return starved() }
        let bytes = input.take(min(left, input.count))
        phase = bytes.count == left ? .ending : .content(left: left - bytes.count)
        return .body(bytes)
    }

    mutating func readChunks(_ trailers: inout HeaderBlock) -> Event {
        switch chunks.next(&input, trailers: &trailers, limits: limits) {
        case .needMore: return starved()
        case .data(let bytes): return .body(bytes)
        case .end: return end()
        case .refused(let fault):
            return refuse(Refusal(fault.isFieldLimit ? .fieldsTooLarge : .badRequest, fault.reason))
        }
    }

    mutating func endWithoutTrailers(_ trailers: inout HeaderBlock) -> Event {
        trailers.removeAll()
        return end()
    }

    private mutating func end() -> Event {
        phase = .ended
        if isResponseComplete { beginNext() }
        return .end
    }

    /// A client that half-closes still gets its answer. Bytes after the last request of the connection are dropped.
    mutating func waitForResponse() -> Event {
        if !keepsAlive { input.discardAll() }
        return input.count > 0 ? .paused : .needMore
    }

    mutating func readTunnel() -> Event {
        if input.count > 0 { return .body(input.take(input.count)) }
        guard isInputClosed else { return .needMore }
        phase = .finished
        return .end
    }
}
