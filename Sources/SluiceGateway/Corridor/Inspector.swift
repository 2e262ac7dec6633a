internal import SluiceContract
internal import SluiceHTTP

/// Keeps what goes over both sides of the gateway (`inspect:`), for one loop.
final class Inspector {
    let settings: InspectSettings
    private let ring: InspectionRing
    /// Where exchanges with upstreams are kept instead.
    private let recorder: ExchangeRecorder?

    init(_ settings: InspectSettings, _ ring: InspectionRing, recorder: ExchangeRecorder? = nil) {
        self.settings = settings
        self.ring = ring
        self.recorder = recorder
    }

    /// The head of the request is there. What is asked of the gateway itself is nobody's to look into; and of those
    /// that are under way as many are kept as of those that are over.
    func begin(_ exchange: Exchange) {
        guard exchange.request.client?.admin == nil else { return }
        let request = exchange.request
        guard ring.count.enter(most: settings.last) else {
            let what =
                String(decoding: request.head.methodName, as: UTF8.self) + " " + QueryMask.text(request.head.target)
            recorder?.lose(what, "more than \(settings.last) requests are under way")
            return
        }
        let contents = ExchangeContents(settings, ring.count, recorder: recorder, clock: ring.clock)
        request.contents = contents
        if request.record == nil { request.record = ExchangeRecord(at: exchange.loop.now) }
        let target = QueryMask.text(request.head.target)
        let method = String(decoding: request.head.methodName, as: UTF8.self)
        contents.take("\(method) \(target) \(request.head.version.text)", request.head.fields, into: contents.request)
        contents.hide(query: request.head.query)
        let version = request.head.version
        exchange.answer.lead(through: { InspectingSink($0, contents, version) })
    }

    /// It is over.
    func end(_ exchange: Exchange, _ entry: borrowing AccessEntry) {
        guard let contents = exchange.request.contents, let record = exchange.request.record else { return }
        if recorder != nil { return exchange.request.contents = nil }
        let mask = EchoMask.mask(for: exchange.request).map { contents.mask.joined(with: $0) } ?? contents.mask
        let writer = InspectionWriter(record, contents, mask, now: exchange.loop.now)
        let summary = Inspection.Summary(
            at: ring.clock() - Int64(clamping: entry.nanoseconds / 1_000_000),
            method: String(decoding: entry.method, as: UTF8.self),
            target: mask.applied(to: QueryMask.text(entry.target)),
            binding: entry.binding, status: entry.status, problem: entry.problem?.rawValue,
            nanoseconds: entry.nanoseconds, cache: entry.cache?.outcome, credential: entry.credential,
            trace: exchange.request.trace?.id.description)
        ring.add(writer.inspection(summary))
        exchange.request.contents = nil
    }
}
