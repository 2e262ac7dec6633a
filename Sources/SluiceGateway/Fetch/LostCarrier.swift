internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A connection or stream that has ended before the answer was complete.
struct LostCarrier {
    /// Why; nil where the peer has closed the connection.
    var problem: Problem?
    /// The connection has served before, so the peer may have closed it just before the request was sent.
    var isReused = false
    var hadFirstByte = false
    var wasConnecting = false
    /// The upstream has said that it did not begin to process the request.
    var isUnprocessed = false

    /// How often a request that was not processed is sent again, regardless of other retries.
    private static let unprocessedReplaysMax = 3

    /// Whether the request is replayed without being counted as another attempt.
    ///
    /// An idle connection may have been closed by its peer while the request was on its way (RFC 9110 §9.2.2, RFC 9112
    /// §9.3.1): an idempotent request is sent again. A request that was not processed is sent again whatever its method
    /// is (RFC 9113 §8.7).
    /// - Parameter replays: how often the request was replayed already.
    func isReplayed(after replays: Int, isIdempotent: Bool, canBeSentAgain: Bool) -> Bool {
        guard canBeSentAgain else { return false }
        if isUnprocessed { return replays < Self.unprocessedReplaysMax }
        return isReused && !hadFirstByte && replays == 0 && isIdempotent
    }

    /// The problem that the client gets.
    func problem(upstream name: String) -> Problem {
        if let problem { return problem }
        return hadFirstByte
            ? Problem(.upstreamTruncated, detail: "'\(name)' closed the connection in the middle of its answer.")
            : Problem(.connectionReset, detail: "'\(name)' closed the connection before it answered.")
    }
}

extension LostCarrier {
    /// The same, where the request is known. Where the binding retries resets, an idempotent request is replayed only
    /// once, and its retry rules apply from then on. Any other further replay is taken from the retry budget.
    /// - Parameter replays: the replays in all attempts.
    func isReplayed(
        after replays: Int, of request: BoundRequest, _ route: Route, canBeSentAgain: Bool,
        _ upstream: UpstreamRuntime, at now: UInt64
    ) -> Bool {
        let isIdempotent = request.maySendAgain
        guard isReplayed(after: replays, isIdempotent: isIdempotent, canBeSentAgain: canBeSentAgain) else {
            return false
        }
        if replays == 0 { return true }
        if isIdempotent, route.retry.covers(.reset) { return false }
        if upstream.retryBudget.withdraw(at: now) { return true }
        upstream.cells.add(at: UpstreamCells.refusedRetries)
        return false
    }

    /// A stream has ended, but its connection lives on. An endpoint that requires HTTP/1.1 is asked over that from now
    /// on.
    init?(
        _ end: HTTP2ClientStream.End, hadFirstByte: Bool, of endpoint: Endpoint?, _ upstream: String, at now: UInt64
    ) {
        let isForHTTP1 =
            end == .reset(HTTP2ErrorCode.http11Required.rawValue) && !hadFirstByte
            && endpoint?.requireHTTP1(at: now) == true
        self.init(end, hadFirstByte: hadFirstByte, isForHTTP1: isForHTTP1, upstream: upstream)
    }

    /// A stream has ended, but its connection lives on.
    /// - Parameter isForHTTP1: the upstream requires HTTP/1.1, and will be asked over that.
    /// - Returns: nil where no attempt could help.
    init?(_ end: HTTP2ClientStream.End, hadFirstByte: Bool, isForHTTP1: Bool, upstream name: String) {
        switch end {
        case .done, .fieldsTooLarge: return nil
        case .malformed(let reason):
            problem = Problem(.upstreamProtocol, detail: "'\(name)': \(reason)")
            self.hadFirstByte = hadFirstByte
        case .unprocessed:
            problem = Problem(.connectionReset, detail: "'\(name)' refused the request before it looked at it.")
            isUnprocessed = true
        case .reset(let code):
            problem = Self.problem(ofReset: code, name, hadFirstByte)
            self.hadFirstByte = hadFirstByte
            // RFC 9113 §7: the request was not processed.
            isUnprocessed = isForHTTP1
        }
    }

    private static func problem(ofReset code: UInt32, _ name: String, _ hadFirstByte: Bool) -> Problem {
        if code == HTTP2ErrorCode.http11Required.rawValue {
            return Problem(
                .upstreamProtocol,
                detail: "'\(name)' wants HTTP/1.1 for this request (RFC 9113 §7); set 'protocol: h1' for it.")
        }
        let reason = HTTP2ErrorCode(rawValue: code).map { "\($0)" } ?? "\(code)"
        return hadFirstByte
            ? Problem(.upstreamTruncated, detail: "'\(name)' ended its answer in the middle: \(reason).")
            : Problem(.connectionReset, detail: "'\(name)' ended the request before it answered: \(reason).")
    }
}
