internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// Sends spans from the loops to a collector, on a thread of its own (``TraceQueue`` says when).
///
/// A loop hands its spans over under a lock that is held for one append; it never waits for the collector.
final class TraceExporter: Sendable {
    private struct State {
        var settings = TraceSettings()
        var spans = TraceQueue()
        var isFailing = false
    }

    /// The client of the settings that were in force with the last batch; the queue uses it alone.
    private struct Known {
        var settings: TraceSettings
        var client: CollectorClient
    }

    private let state = Mutex(State())
    private let known = Mutex<Known?>(nil)
    private let queue = DispatchQueue(label: "sluice.traces")
    private let tally: TraceTally
    private let resource: TraceExportRequest.Resource
    private let logger: Logger
    private let credentialsDirectory: String?

    /// - Parameter release: the version that runs.
    init(_ tally: TraceTally, release: String, logger: Logger) {
        self.tally = tally
        self.logger = logger
        resource = TraceExportRequest.Resource(version: release, host: Self.hostName, process: Int(getpid()))
        credentialsDirectory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    private static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            guard let start = name.baseAddress, gethostname(start, name.count - 1) == 0 else { return "" }
            name[name.count - 1] = 0
            return String(cString: start)
        }
    }

    /// Sets the collector for spans from now on.
    func configure(_ settings: TraceSettings) {
        state.withLock { $0.settings = settings }
        // Takes secrets out of the environment, where other programs may read them.
        for case .env(let name)? in settings.headers.map(\.secret) + [settings.bearer] {
            _ = EnvironmentSecrets.take(name)
        }
    }

    /// Takes spans from any loop.
    func take(_ spans: [TraceSpan]) {
        let (lost, order) = state.withLock { $0.spans.took(spans) }
        if lost > 0 { tally.lose(lost, .queueFull) }
        carryOut(order)
    }

    /// Sends the waiting spans before the process ends, within a time limit.
    func flush(within limit: Duration) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            var order = self.state.withLock { $0.spans.end() }
            while order == .send { order = self.sendBatch() }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondsClamped)))
    }

    private func carryOut(_ order: TraceQueue.Order?) {
        switch order {
        case nil: break
        case .send: queue.async { self.carryOut(self.sendBatch()) }
        case .call(let wait, let number):
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait.nanosecondsClamped))) {
                self.carryOut(self.state.withLock { $0.spans.timePassed(number) })
            }
        }
    }

    // MARK: - To the collector

    private func sendBatch() -> TraceQueue.Order? {
        let (batch, settings) = state.withLock { ($0.spans.batch, $0.settings) }
        if batch.isEmpty { return nil }
        let answer = ask(settings, batch)
        let (outcome, order, hasChanged) = state.withLock { state in
            let (outcome, order) = state.spans.answered(answer)
            let isFailing = outcome.refused > 0 || answer.isForLater
            defer { state.isFailing = isFailing }
            return (outcome, order, state.isFailing != isFailing)
        }
        tally.export(outcome.exported)
        tally.lose(outcome.refused, .refused)
        if hasChanged { tell(answer) }
        return order
    }

    private func ask(_ settings: TraceSettings, _ batch: [TraceSpan]) -> CollectorAnswer {
        guard let endpoint = settings.endpoint else { return .refused(reason: "none is configured any more") }
        let body = TraceExportRequest(resource: resource, unixOffset: Self.unixOffset).bytes(of: batch)
        return known.withLock { known in
            if let known, known.settings == settings { return known.client.send(body) }
            let client = CollectorClient(
                settings, at: endpoint, agent: "sluice/\(resource.version)",
                credentialsDirectory: credentialsDirectory)
            known = Known(settings: settings, client: client)
            return client.send(body)
        }
    }

    private func tell(_ answer: CollectorAnswer) {
        switch answer {
        case .taken: logger.notice("the collector takes spans again")
        case .takenInPart(let refused):
            logger.warning("the collector refuses spans", metadata: ["spans": "\(refused)"])
        case .notNow(let reason, _), .refused(let reason):
            logger.warning("the collector takes no spans", metadata: ["reason": "\(reason)"])
        }
    }

    private static var unixOffset: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec) &- MonotonicClock.now()
    }
}
