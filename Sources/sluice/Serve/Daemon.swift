internal import CLinux
internal import Dispatch
internal import Logging
internal import SluiceCache
internal import SluiceConfig
internal import SluiceConsole
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import SluiceSockets
internal import SluiceStores
internal import Synchronization
internal import Glibc

/// The running service around the server: it starts, reloads and stops, and keeps the service manager informed.
final class Daemon: Sendable {
    private struct State {
        /// In force now.
        var table: RouteTable
        var configuration: SluiceContract.Configuration
        var accessLog: AccessLogWriter?
        var auditLog: AccessLogWriter?
        var history: ReloadHistory
        var isStopping = false
        var isTrimDue = false
    }

    /// The first requests are served before memory is given back.
    private static let settling = DispatchTimeInterval.milliseconds(250)

    private let file: ConfigurationFile
    private let service: ServiceManager
    private let places: ListeningPlaces
    private let logger: Logger
    private let output: LogOutput
    private let server: Server
    private let tiers: TierChain?
    private let state: Mutex<State>
    /// Reads files and waits for the service manager, one task after the other. Not the main queue: a second signal is
    /// handled even if this queue hangs.
    private let context = DispatchQueue(label: "sluice.daemon")
    /// Held while a reload takes effect or is reported, and when draining begins: neither sees the other half done.
    private let handover = Mutex(())
    private let watchdog: Watchdog?
    private let recording: RecordingWriter?
    private let drift: DriftKeeper?
    /// As they were at the start.
    private let fixed: FixedSettings

    /// - Throws: where a type cannot be compiled or a log not be opened.
    init(
        _ configuration: SluiceContract.Configuration, from file: ConfigurationFile, service: ServiceManager,
        places: ListeningPlaces, logger: Logger, output: LogOutput, recording: RecordingWriter? = nil
    ) throws {
        self.output = output
        self.recording = recording
        self.file = file
        self.service = service
        self.places = places
        self.logger = logger
        let configuration = places.arrange(configuration)
        fixed = FixedSettings(configuration)
        let table = try RouteTable(configuration)
        let stores = CacheStores(
            configuration.cache, credentialsDirectory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
            warn: { logger.warning("cache: \($0)") })
        tiers = stores.tiers
        let server = Server(
            table, memory: stores.memory, tiers: stores.tiers, release: Release.version, recorder: recording?.recorder,
            logger: logger)
        self.server = server
        drift = DriftKeeper(configuration, server, logger)
        let accessLog = try AccessLogWriter.access(configuration.log, logger)
        server.writeAccessLog(to: accessLog)
        let auditLog = try AccessLogWriter.audit(configuration.log, logger)
        server.writeAuditLog(to: auditLog)
        state = Mutex(
            State(
                table: table, configuration: configuration, accessLog: accessLog, auditLog: auditLog,
                history: ReloadHistory(of: file.absolutePath)))
        watchdog = Watchdog(service, server: server)
    }

    /// - Throws: ``Server/StartFailure``.
    func start() throws {
        clinux_map_large_memory()
        state.withLock { $0.history.note(at: time(nil), .start) }
        server.reload { told in self.reload(told) }
        server.tellDocuments { document, done in self.context.async { done(self.make(document)) } }
        drift?.begin()
        try server.start(inherited: service.sockets.filter { $0.address != nil }.map(\.descriptor))
        watchdog?.start()
        logger.notice("listening on \(server.addresses.joined(separator: ", "))")
        for address in server.monitorAddresses { logger.notice("metrics and health at \(address)") }
        tellReady()
        trimLater()
    }

    /// Reading a configuration touches most of the program; serving needs a small part of it.
    private func trimLater() {
        let isFirst = state.withLock { state in
            defer { state.isTrimDue = true }
            return !state.isTrimDue
        }
        guard isFirst else { return }
        context.asyncAfter(deadline: .now() + Self.settling) {
            self.state.withLock { $0.isTrimDue = false }
            clinux_trim_memory()
        }
    }

    /// - Parameter trouble: what `systemctl status` shows first.
    private func tellReady(_ trouble: String? = nil) {
        let status = (trouble.map { "\($0). " } ?? "") + "Serving \(serving)"
        tellUnlessStopping { $0.ready(status: status) }
    }

    /// Notifies the service manager, but not after it was told that the daemon stops.
    /// - Returns: whether the daemon goes on.
    @discardableResult
    private func tellUnlessStopping(_ tell: (ServiceNotifier) -> Void) -> Bool {
        handover.withLock { _ in
            if isStopping { return false }
            service.notifier.map(tell)
            return true
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Summary of the bindings and addresses.
    private var serving: String {
        let bindings = state.withLock { $0.configuration.bindings.count }
        return "\(Count.words(bindings, "binding")) on \(server.addresses.joined(separator: ", "))"
    }

    // MARK: - Stopping

    /// The first time, lets what is in flight finish; the second time, ends the process at once.
    func stop() {
        let (isFirst, limit) = state.withLock { state in
            defer { state.isStopping = true }
            return (!state.isStopping, state.configuration.drain)
        }
        guard isFirst else { _exit(1) }
        logger.notice("draining", metadata: ["limit": "\(limit.words)"])
        // On threads of their own: they need no loop and no queue, in which a reload may read a file for ever.
        if ServiceThread.start("sluice-end", { self.endOverdue(after: limit) }) != 0 {
            // Without a thread to watch the end, alarm(2) does: SIGALRM ends the process.
            let most = limit + Self.grace + Self.closingLimit
            alarm(UInt32(clamping: most.components.seconds + 1))
        }
        // Without a thread, here: a second signal then waits for a reload that takes effect, but the end comes.
        if ServiceThread.start("sluice-drain", { self.beginDraining(within: limit) }) != 0 {
            beginDraining(within: limit)
        }
    }

    private func beginDraining(within limit: Duration) {
        handover.withLock { _ in
            service.notifier?.stopping(status: "Finishing what is in flight")
            drain(within: limit)
        }
    }

    private func drain(within limit: Duration) {
        server.drain(within: limit) { [logger, output, tiers, recording, drift] isClean in
            tiers?.close()
            recording?.finish()
            drift?.finish()
            if isClean {
                logger.notice("stopped")
            } else {
                logger.warning("stopped; some requests were not finished in time")
            }
            output.flush(within: Self.flushLimit)
            exit(0)
        }
    }

    /// How long the last lines of the log may take.
    private static let flushLimit = Duration.milliseconds(500)
    /// Extra time for a loop to end after the drain limit.
    private static let grace = Duration.seconds(1)
    /// Time for stores to close after that: more than the limit of each.
    private static let closingLimit = Duration.seconds(10)
    /// The exit status where something did not end.
    private static let overdueStatus: Int32 = 3

    /// Ends the process if a loop or a store does not end.
    private func endOverdue(after limit: Duration) {
        ServiceThread.sleep(limit + Self.grace)
        let loops = server.loopsAtWork
        if loops.isEmpty {
            ServiceThread.sleep(Self.closingLimit)
            logger.critical("the stores did not close in time; the process ends without that")
        } else {
            let names = loops.map(String.init).joined(separator: ", ")
            logger.critical(
                "event loops did not end in time; the process ends without them", metadata: ["loops": "\(names)"])
        }
        output.flush(within: Self.flushLimit)
        _exit(Self.overdueStatus)
    }

    // MARK: - Reloading

    /// Reads the configuration again. One with mistakes is refused; a good one takes over between two requests.
    /// - Parameter told: called with the verdict.
    func reload(_ told: (@Sendable (ReloadVerdict) -> Void)? = nil) {
        context.async {
            let outcome = self.reloadNow()
            self.state.withLock {
                $0.history.note(
                    at: time(nil), told == nil ? .signal : .request, changes: outcome.changes, faults: outcome.faults)
            }
            told?(outcome.verdict)
        }
    }

    /// Makes a document for the admin socket.
    private func make(_ document: DaemonDocument) -> [UInt8] {
        let (configuration, history) = state.withLock { ($0.configuration, $0.history) }
        defer { trimLater() }
        switch document {
        case .bindings: return BindingsDocument(configuration, addresses: server.addresses).bytes
        case .configuration: return Array(Explain.yaml(configuration).utf8)
        case .reloads: return history.bytes
        }
    }

    private func reloadNow() -> ReloadOutcome {
        var outcome = ReloadOutcome(file: file.path)
        guard tellUnlessStopping({ $0.reloading(at: MonotonicClock.now()) }) else {
            outcome.refusal = "\(Stopping())"
            return outcome
        }
        do {
            let loaded = try file.read()
            outcome.findings = Report.findings(mistakes: loaded.mistakes, warnings: loaded.warnings)
            for warning in loaded.warnings { logger.warning("\(warning)") }
            for mistake in loaded.mistakes { logger.error("\(mistake)") }
            if let configuration = loaded.configuration.map(places.arrange) {
                let old = state.withLock { $0.configuration }
                outcome.keysForRestart = try takeOver(configuration)
                outcome.changes = ConfigurationChange.between(old, configuration)
            } else {
                outcome.refusal = "\(file.path) has \(Count.words(loaded.mistakes.count, "mistake"))"
            }
        } catch {
            outcome.refusal = "\(error)"
        }
        if let refusal = outcome.refusal {
            // Whoever rotates the logs has moved them away, whatever the configuration is like.
            let (accessLog, auditLog) = state.withLock { ($0.accessLog, $0.auditLog) }
            accessLog?.reopen()
            auditLog?.reopen()
            logger.error("the old configuration stays in force", metadata: ["reason": "\(refusal)"])
            tellReady("Reload refused: \(refusal)")
        } else {
            outcome.serving = serving
            for key in outcome.keysForRestart { logger.warning("'\(key)' has changed; that takes a restart") }
            let count = state.withLock { $0.configuration.bindings.count }
            logger.notice("configuration reloaded", metadata: ["bindings": "\(count)"])
            tellReady()
        }
        trimLater()
        return outcome
    }

    /// - Returns: keys with new values that need a restart.
    private func takeOver(_ configuration: SluiceContract.Configuration) throws -> [String] {
        let table = try RouteTable(configuration, after: state.withLock { $0.table })
        let (old, oldLog, oldAudit) = state.withLock { ($0.configuration, $0.accessLog, $0.auditLog) }
        var (accessLog, auditLog) = (oldLog, oldAudit)
        let isSameAudit = configuration.log.audit == old.log.audit
        if !isSameAudit { auditLog = try AccessLogWriter.audit(configuration.log, logger) }
        let isSameLog =
            AccessShape(configuration.log) == AccessShape(old.log) && configuration.log.access == old.log.access
        if !isSameLog { accessLog = try AccessLogWriter.access(configuration.log, logger) }
        try handover.withLock { _ in
            // A reload would reopen sockets that draining has closed.
            if isStopping { throw Stopping() }
            try server.reload(table)
            if isSameAudit { auditLog?.reopen() } else { server.writeAuditLog(to: auditLog) }
            if isSameLog { accessLog?.reopen() } else { server.writeAccessLog(to: accessLog) }
            state.withLock {
                $0.table = table
                $0.configuration = configuration
                $0.accessLog = accessLog
                $0.auditLog = auditLog
            }
        }
        return fixed.keysChanged(in: configuration)
    }

    /// Refuses reloads once the daemon stops.
    private struct Stopping: Error, CustomStringConvertible {
        var description: String { "the daemon is stopping" }
    }
}
