internal import SluiceContract
internal import SluiceHTTP

// What becomes of an attempt whose stream has ended before its answer was complete, while the connection goes on.
extension Fetch {
    func attemptLost(_ end: HTTP2ClientStream.End, hadFirstByte: Bool) {
        let name = upstreamName
        switch end {
        case .done: break
        case .malformed(let reason):
            linkLost(
                Problem(.upstreamProtocol, detail: "'\(name)': \(reason)"), isReused: false, hadFirstByte: hadFirstByte,
                wasConnecting: false)
        case .fieldsTooLarge(let most):
            // Another attempt would fare no better, and the endpoint is well.
            carrier = nil
            fail(
                Problem(
                    .fieldsTooLarge,
                    detail: "The request's fields are too large for '\(name)', which takes \(most) bytes; send less."))
        case .unprocessed:
            linkLost(
                Problem(.connectionReset, detail: "'\(name)' refused the request before it looked at it."),
                isReused: false, hadFirstByte: false, wasConnecting: false, isUnprocessed: true)
        case .reset(let code):
            // RFC 9113 §7: it was not processed, and will be over HTTP/1.1.
            let isForHTTP1 =
                code == HTTP2ErrorCode.http11Required.rawValue && !hadFirstByte
                && endpoint?.requireHTTP1(at: loop.now) == true
            linkLost(
                Self.problem(of: code, name, hadFirstByte), isReused: false, hadFirstByte: hadFirstByte,
                wasConnecting: false, isUnprocessed: isForHTTP1)
        }
    }

    private static func problem(of code: UInt32, _ name: String, _ hadFirstByte: Bool) -> Problem {
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
