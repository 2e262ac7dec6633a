internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A connection or stream that has ended before the answer was complete.
struct LostCarrier {
    /// Why; nil where the peer has closed the connection.
    var problem: Problem?
    /// It has served before, so that its peer may have closed it meanwhile, unseen.
    var isReused = false
    var hadFirstByte = false
    var wasConnecting = false
    /// The upstream has said that it did not begin to process the request.
    var isUnprocessed = false

    /// A request that was not processed is sent again so often, whatever else is tried.
    private static let unprocessedReplaysMax = 3

    /// Whether the request is sent once more without being counted as another attempt.
    ///
    /// An idle connection may have been closed by its peer while the request was on its way (RFC 9110 §9.2.2, RFC 9112
    /// §9.3.1): an idempotent request goes out once more. What was never processed does so whatever its method is
    /// (RFC 9113 §8.7).
    /// - Parameter replays: how often that was done already.
    func isReplayed(after replays: Int, isIdempotent: Bool, canBeSentAgain: Bool) -> Bool {
        guard canBeSentAgain else { return false }
        if isUnprocessed { return replays < Self.unprocessedReplaysMax }
        return isReused && !hadFirstByte && replays == 0 && isIdempotent
    }

    /// What the client hears.
    func problem(upstream name: String) -> Problem {
        if let problem { return problem }
        return hadFirstByte
            ? Problem(.upstreamTruncated, detail: "'\(name)' closed the connection in the middle of its answer.")
            : Problem(.connectionReset, detail: "'\(name)' closed the connection before it answered.")
    }
}

extension LostCarrier {
    /// The same, where the request is known. Who refuses it again and again is asked no more often than a binding with
    /// retries says; without them, what is done more than once is paid for as they are.
    /// - Parameter replays: those of all attempts.
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

    /// A stream of this endpoint has ended, while its connection goes on. One that wants HTTP/1.1 gets it from now on.
    init?(
        _ end: HTTP2ClientStream.End, hadFirstByte: Bool, of endpoint: Endpoint?, _ upstream: String, at now: UInt64
    ) {
        let isForHTTP1 =
            end == .reset(HTTP2ErrorCode.http11Required.rawValue) && !hadFirstByte
            && endpoint?.requireHTTP1(at: now) == true
        self.init(end, hadFirstByte: hadFirstByte, isForHTTP1: isForHTTP1, upstream: upstream)
    }

    /// A stream has ended, while its connection goes on.
    /// - Parameter isForHTTP1: the upstream wants HTTP/1.1, and will be asked over that.
    /// - Returns: nil for what no attempt could mend.
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
            // RFC 9113 §7: it was not processed.
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
