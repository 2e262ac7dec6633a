internal import SluiceHTTP

/// Decides which requests are traced: what a client says of its trace is kept to, and of traces that begin here a share
/// is taken (parent-based, by ratio).
struct TraceSampler {
    /// Traces whose last seven bytes are less are not sampled. Systems that share the trace and take a greater share
    /// take these, too (OpenTelemetry, consistent probability sampling).
    private let threshold: UInt64
    private static let range: UInt64 = 1 << 56

    /// - Parameter percent: of a hundred traces that begin here, so many are sampled.
    init(percent: Int) {
        threshold = percent <= 0 ? .max : Self.range / 100 * UInt64(100 - min(percent, 100))
    }

    func takes(_ id: TraceID) -> Bool { id.low % Self.range >= threshold }

    /// Where a request stands whose fields these are.
    func begin(_ fields: borrowing HeaderBlock, _ random: inout RandomSource) -> RequestTrace {
        // Two of them name no parent: the field is none that may stand twice (RFC 9110 §5.3).
        if fields.count(of: .traceparent) == 1, let index = fields.firstIndex(of: .traceparent),
            let parent = TraceParent(fields.value(index))
        {
            let hasState = fields.firstIndex(of: .tracestate) != nil
            return RequestTrace(
                id: parent.trace, parent: parent.parent, span: random.span(), flags: parent.flags,
                passesState: hasState && TraceState(fields)?.members.isEmpty == false)
        }
        // §3.4: without a parent, what is said of its trace says nothing of this one.
        var id = TraceID(high: random.next(), low: random.next())
        while !id.isValid { id = TraceID(high: random.next(), low: random.next()) }
        return RequestTrace(
            id: id, parent: nil, span: random.span(), flags: takes(id) ? [.sampled, .random] : .random,
            passesState: false)
    }
}

extension RandomSource {
    mutating func span() -> SpanID {
        while true {
            let number = next()
            if number != 0 { return SpanID(number) }
        }
    }
}
