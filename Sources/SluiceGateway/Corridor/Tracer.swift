internal import SluiceContract
internal import SluiceHTTP

/// Traces the requests of one loop: begins a trace for each, and hands over the spans of those that are sampled.
final class Tracer {
    let settings: TraceSettings
    private let sampler: TraceSampler
    private let deliver: ([TraceSpan]) -> Void

    init(_ settings: TraceSettings, deliver: @escaping ([TraceSpan]) -> Void) {
        self.settings = settings
        self.deliver = deliver
        sampler = TraceSampler(percent: settings.samplePercent)
    }

    /// Begins once the request's head has arrived. Requests to the admin socket are not traced.
    func begin(_ request: BoundRequest, _ loop: LoopContext) {
        guard request.client?.admin == nil else { return }
        let trace = sampler.begin(request.head.fields, &loop.random)
        request.trace = trace
        if trace.isSampled { request.record = ExchangeRecord(at: loop.now) }
    }

    /// The exchange is over. Attempts of a cache fill that are still running, or only begin, are reported when they
    /// end.
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
