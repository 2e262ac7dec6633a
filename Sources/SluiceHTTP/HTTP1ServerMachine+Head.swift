internal import SluiceContract

extension HTTP1ServerMachine {
    mutating func beginHead(_ head: inout RequestHead) -> Event {
        let bytes = input.unread
        guard let first = bytes.first else { return isInputClosed ? .closed : .needMore }
        if first == .cr {
            // One empty line before a request line is tolerated (RFC 9112 §2.2).
            guard bytes.count > 1 else { return starved() }
            guard bytes[1] == .lf else {
                return refuse(Refusal(.badRequest, "A CR stands without its LF (RFC 9112 §2.2)."))
            }
            input.consume(2)
        }
        phase = .head
        restart(&head)
        return parseHead(&head)
    }

    private mutating func restart(_ head: inout RequestHead) {
        head.reset()
        lineCount = 0
        section = FieldSection()
    }

    mutating func parseHead(_ head: inout RequestHead) -> Event {
        // Another head than before, or one that was reset in between, gets the whole of it.
        if head.progress != lineCount + section.parsed { restart(&head) }
        let bytes = input.unread
        if lineCount == 0 {
            switch head.parseLine(bytes, limit: limits.requestLineBytes) {
            case .needMore: return starved()
            case .refused(let refusal): return refuse(refusal)
            case .line(let length): lineCount = length
            }
        }
        let step = section.parse(
            bytes.part(lineCount, bytes.count), at: lineCount, into: &head.fields,
            limits: FieldSection.Limits(bytes: limits.headerBytes, count: limits.headerCount))
        head.progress = lineCount + section.parsed
        switch step {
        case .needMore: return starved()
        case .refused(let fault):
            return refuse(Refusal(fault.isLimit ? .fieldsTooLarge : .badRequest, fault.reason))
        case .end: return conclude(&head, bytes.part(0, lineCount + section.parsed))
        }
    }

    private mutating func conclude(_ head: inout RequestHead, _ bytes: UnsafeRawBufferPointer) -> Event {
        head.fields.appendBytes(bytes)
        input.consume(bytes.count)
        do throws(Refusal) {
            try head.conclude()
        } catch {
            return refuse(error)
        }
        keepsAlive = head.keepAlive
        isResponseComplete = false
        switch head.framing {
        case .none, .length(0): phase = .ending
        case .length(let length): phase = .content(left: length)
        case .chunked:
            chunks = ChunkedDecoder()
            phase = .chunks
        case .untilClose: preconditionFailure("no request is framed by the end of the connection")
        }
        return .request
    }
}
