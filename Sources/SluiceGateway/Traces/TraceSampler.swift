internal import SluiceHTTP

/// Decides which requests are traced: the client's decision is followed, and a share of the traces that begin here is
/// sampled (parent-based, by ratio).
struct TraceSampler {
    /// Traces whose last seven bytes are below this are not sampled. Systems that share the trace and sample a greater
    /// share also sample these (OpenTelemetry, consistent probability sampling).
    private let threshold: UInt64
    private static let range: UInt64 = 1 << 56

    /// - Parameter percent: how many percent of the traces that begin here are sampled.
    init(percent: Int) {
        threshold = percent <= 0 ? .max : Self.range / 100 * UInt64(100 - min(percent, 100))
    }

    func takes(_ id: TraceID) -> Bool { id.low % Self.range >= threshold }

    /// The trace of a request with these fields.
    func begin(_ fields: borrowing HeaderBlock, _ random: inout RandomSource) -> RequestTrace {
        // Two of these fields name no parent: the field must not be repeated (RFC 9110 §5.3).
        if fields.count(of: .traceparent) == 1, let index = fields.firstIndex(of: .traceparent),
            let parent = TraceParent(fields.value(index))
        {
            let hasState = fields.firstIndex(of: .tracestate) != nil
            return RequestTrace(
                id: parent.trace, parent: parent.parent, span: random.span(), flags: parent.flags,
                passesState: hasState && TraceState(fields)?.members.isEmpty == false)
        }
        // §3.4: without a valid parent, `tracestate` is ignored too.
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
