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
        return parseHead(&head)
    }

    mutating func parseHead(_ head: inout RequestHead) -> Event {
        if reader.restarts(head.progress) { head.reset() }
        if reader.awaitsLine {
            switch head.parseLine(input.unread, limit: limits.requestLineBytes) {
            case .needMore: return starved()
            case .refused(let refusal):
                head.keepLine(of: input.unread)
                return refuse(refusal)
            case .line(let length): reader.lineRead(length)
            }
        }
        switch reader.readFields(&input, into: &head.fields, &head.progress, limits: limits) {
        case .needMore: return starved()
        case .refused(let fault):
            head.keepLine(of: input.unread)
            return refuse(Refusal(fault.isLimit ? .fieldsTooLarge : .badRequest, fault.reason))
        case .end: return conclude(&head)
        }
    }

    private mutating func conclude(_ head: inout RequestHead) -> Event {
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
