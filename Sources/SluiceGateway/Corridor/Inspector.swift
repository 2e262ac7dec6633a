internal import SluiceContract
internal import SluiceHTTP

/// Records the messages on both sides of the gateway (`inspect:`), for one loop.
final class Inspector {
    let settings: InspectSettings
    private let ring: InspectionRing
    /// Records exchanges with upstreams, in place of the ring.
    private let recorder: ExchangeRecorder?

    init(_ settings: InspectSettings, _ ring: InspectionRing, recorder: ExchangeRecorder? = nil) {
        self.settings = settings
        self.ring = ring
        self.recorder = recorder
    }

    /// Begins to record once the request's head has arrived. Requests to the admin socket are not recorded; and the
    /// limit for finished exchanges applies to running ones, too. A part is recorded with its whole, and shares its
    /// place.
    func begin(_ exchange: Exchange) {
        guard exchange.request.client?.admin == nil else { return }
        let request = exchange.request
        guard let contents = request.isPart ? request.contents : contents(for: request, exchange.loop) else { return }
        request.contents = contents
        if request.record == nil { request.record = ExchangeRecord(at: exchange.loop.now) }
        contents.hide(query: request.head.query)
        // Of a recording or a part, only the upstream's side is kept.
        if recorder != nil || request.isPart { return contents.hide(fields: request.head.fields) }
        let target = QueryMask.text(request.head.target)
        let method = String(decoding: request.head.methodName, as: UTF8.self)
        contents.take("\(method) \(target) \(request.head.version.text)", request.head.fields, into: contents.request)
        let version = request.head.version
        exchange.answer.lead(through: { InspectingSink($0, contents, version) })
    }

    private func contents(for request: BoundRequest, _ loop: LoopContext) -> ExchangeContents? {
        if ring.count.enter(most: settings.last) {
            return ExchangeContents(settings, ring.count, recorder: recorder, at: loop.now, clock: ring.clock)
        }
        let method = String(decoding: request.head.methodName, as: UTF8.self)
        recorder?.lose(
            "\(method) \(QueryMask.text(request.head.target))", "more than \(settings.last) requests are under way")
        return nil
    }

    /// The exchange is over.
    func end(_ exchange: Exchange, _ entry: borrowing AccessEntry) {
        guard let writer = writer(exchange) else { return }
        let summary = Inspection.Summary(
            at: ring.clock() - Int64(clamping: entry.nanoseconds / 1_000_000),
            method: String(decoding: entry.method, as: UTF8.self),
            target: writer.mask.applied(to: QueryMask.text(entry.target)),
            binding: entry.binding, status: entry.status, problem: entry.problem?.rawValue,
            nanoseconds: entry.nanoseconds, cache: entry.cache?.outcome, credential: entry.credential,
            trace: exchange.request.trace?.id.description)
        ring.add(writer.inspection(summary))
        exchange.request.contents = nil
    }

    /// A part is over: its attempts are shown with its whole.
    func endPart(_ exchange: Exchange) {
        if let writer = writer(exchange) { exchange.request.contents?.hand(over: writer.attempts) }
    }

    /// - Returns: nil where there is nothing to show, as with a recording.
    private func writer(_ exchange: Exchange) -> InspectionWriter? {
        guard recorder == nil, let contents = exchange.request.contents, let record = exchange.request.record else {
            exchange.request.contents = nil
            return nil
        }
        let mask = EchoMask.mask(for: exchange.request).map { contents.mask.joined(with: $0) } ?? contents.mask
        return InspectionWriter(record, contents, mask, now: exchange.loop.now)
    }
}
