internal import SluiceContract
internal import SluiceHTTP

/// Traces the requests of one loop: begins each in its place, and hands over the spans of those that are sampled.
final class Tracer {
    let settings: TraceSettings
    private let sampler: TraceSampler
    private let deliver: ([TraceSpan]) -> Void

    init(_ settings: TraceSettings, deliver: @escaping ([TraceSpan]) -> Void) {
        self.settings = settings
        self.deliver = deliver
        sampler = TraceSampler(percent: settings.samplePercent)
    }

    /// The head of the request is there. What is asked of the gateway itself is not traced.
    func begin(_ request: BoundRequest, _ loop: LoopContext) {
        guard request.client?.admin == nil else { return }
        let trace = sampler.begin(request.head.fields, &loop.random)
        request.trace = trace
        if trace.isSampled { request.record = ExchangeRecord(at: loop.now) }
    }

    /// The exchange is over. Attempts of a cache fill may go on, or only begin, and are told when they are over.
    func end(_ exchange: Exchange) {
        guard let trace = exchange.request.trace, trace.isSampled, let record = exchange.request.record else { return }
        record.end(at: exchange.loop.now)
        let writer = SpanWriter(trace, state: TraceState(exchange.request.head.fields))
        let ended = record.attempts.enumerated().filter { $0.element.endedAt != nil }
        deliver(
            [writer.span(of: exchange, record)] + ended.compactMap { writer.span(of: $0.element, number: $0.offset) })
        record.onLateEnd = { [deliver] attempt, position in
            if let span = writer.span(of: attempt, number: position) { deliver([span]) }
        }
    }
}
