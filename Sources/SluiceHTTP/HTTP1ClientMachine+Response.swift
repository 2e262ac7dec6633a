extension HTTP1ClientMachine {
    mutating func parseHead(_ head: inout ResponseHead) -> Event {
        if reader.restarts(head.progress) { head.reset() }
        if reader.awaitsLine {
            switch head.parseLine(input.unread, limit: limits.requestLineBytes) {
            case .needMore: return starved()
            case .malformed(let reason): return malformed(reason)
            case .line(let length): reader.lineRead(length)
            }
        }
        switch reader.readFields(&input, into: &head.fields, &head.progress, limits: limits) {
        case .needMore: return starved()
        case .refused(let fault): return malformed(fault.reason)
        case .end: return conclude(&head)
        }
    }

    private mutating func conclude(_ head: inout ResponseHead) -> Event {
        do throws(Malformed) {
            try head.conclude(to: method)
        } catch {
            return malformed(error.reason)
        }
        if head.status == 101 { return switchProtocols(&head) }
        if head.status < 200 {
            interimCount += 1
            guard interimCount <= limits.interimCount else {
                return malformed("The upstream sent more interim responses than the limit allows.")
            }
            return .interim
        }
        keepsAlive = head.keepAlive
        switch head.framing {
        case .none, .length(0): phase = .ending
        case .length(let length): phase = .content(left: length)
        case .chunked:
            chunks = ChunkedDecoder()
            phase = .chunks
        case .untilClose: phase = .untilClose
        }
        return .response
    }

    /// A 101 is only for a client that asked for it; the bytes after it are not HTTP/1.1 (RFC 9110 §15.2.2).
    private mutating func switchProtocols(_ head: inout ResponseHead) -> Event {
        guard expectsUpgrade else { return malformed("The upstream switched protocols without being asked.") }
        head.framing = .untilClose
        head.keepAlive = false
        keepsAlive = false
        phase = .untilClose
        return .response
    }

    mutating func readContent(_ left: Int) -> Event {
        guard input.count > 0 else { return starved() }
        let bytes = input.take(min(left, input.count))
        phase = bytes.count == left ? .ending : .content(left: left - bytes.count)
        return .body(bytes)
    }

    mutating func readChunks(_ trailers: inout HeaderBlock) -> Event {
        switch chunks.next(&input, trailers: &trailers, limits: limits) {
        case .needMore: starved()
        case .data(let bytes): .body(bytes)
        case .end: end()
        case .refused(let fault): malformed(fault.reason)
        }
    }

    /// The end of the connection is the end of the content, unless the connection was cut (RFC 9112 §6.3, §8).
    mutating func readUntilClose(_ trailers: inout HeaderBlock) -> Event {
        if input.count > 0 { return .body(input.take(input.count)) }
        guard isInputClosed else { return .needMore }
        phase = .finished
        if isInputTruncated { return .truncated(beforeFirstByte: false) }
        trailers.removeAll()
        return .end(reusable: false)
    }

    mutating func endWithoutTrailers(_ trailers: inout HeaderBlock) -> Event {
        trailers.removeAll()
        return end()
    }

    private mutating func end() -> Event {
        // Surplus bytes are dropped and the connection is not reused, whether they arrive together with the end or
        // later.
        hasSurplus = input.count > 0
        input.discardAll()
        let isReusable = keepsAlive && !isInputClosed && !hasSurplus
        phase = isReusable ? .idle : .finished
        return .end(reusable: isReusable)
    }
}
