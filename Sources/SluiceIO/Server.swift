public import Logging
public import SluiceContract
public import SluiceGateway
public import SluiceCache
internal import CLinux
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// The running daemon: its loops, its listening sockets and its tokens. Thread-safe; what reaches a loop goes through
/// its mailbox.
public final class Server: Sendable {
    struct State {
        var table: RouteTable
        var listening: [Listening] = []
        var mailboxes: [Mailbox] = []
        var accessLog: AccessLogWriter?
        /// One for each loop; none where the access log is off.
        var accessBuffers: [AccessLogBuffer] = []
        var auditLog: AccessLogWriter?
        /// One for each loop, and one for the runners of credentials.
        var auditBuffers: [AccessLogBuffer] = []
        var reloader: Reloader?
        var documentMaker: DocumentMaker?
        /// Loops that have not ended.
        var loopsAtWork: Set<Int> = []
        /// Of the latest change of sockets' modes: one that is not complete when the next begins is left to that.
        var modesNumber = 0
    }

    /// One configured address with its sockets: one for each loop, or one for all.
    struct Listening {
        var listener: Listener
        var descriptors: [Int32]
        /// The permissions that `file` has. They are those of `listener` as soon as all loops judge by its rules.
        var mode: Int
        /// Of a Unix socket that we have opened.
        var file: SocketFile?
        /// Opened by the service manager, which goes on listening when we stop.
        var isInherited = false
        var tls: ListenerTLS?

        var hasOnePerLoop: Bool { descriptors.count > 1 }
    }

    let state: Mutex<State>
    private let dialing = DialingServices(resolver: Resolver())
    let credentials: CredentialKeeper
    private let watcher = FileWatcher()
    /// How credentials reach the loops.
    private let ring = LoopRing()
    var surroundings: CredentialTools.Surroundings { ring.surroundings }
    let logger: Logger
    let metrics: MetricsRegistry
    private let exporter: TraceExporter
    /// Shared by the loops; stays across a reload.
    private let cache: SharedCache
    private let census: ConnectionCensus
    private let shortages: Shortages
    private let watch: RequestWatch

    /// - Parameters:
    ///   - memory: where answers are stored; made from the configuration where it is nil.
    ///   - tiers: the stores behind `memory`.
    ///   - release: the version that runs, as metrics tell it.
    public init(
        _ table: RouteTable, memory: MemoryStore? = nil, tiers: TierChain? = nil, release: String = "",
        recorder: ExchangeRecorder? = nil, logger: Logger
    ) {
        watch = RequestWatch(recorder)
        metrics = MetricsRegistry(table.configuration.metrics, release: release, startedAt: time(nil))
        exporter = TraceExporter(metrics.traces, release: release, logger: logger)
        state = Mutex(State(table: table))
        self.logger = logger
        cache = SharedCache(memory ?? MemoryStore(table.configuration.cache), tiers: tiers)
        credentials = CredentialKeeper(watcher: watcher, logger: logger, ring.surroundings)
        Self.raiseDescriptorLimit()
        census = ConnectionCensus(table.configuration.limits)
        shortages = Shortages(table.configuration.limits, descriptorsMax: Self.descriptorsMax(), logger)
    }

    /// Why the daemon cannot listen or speak TLS; `description` is for people.
    public struct StartFailure: Error, CustomStringConvertible, Sendable {
        public var description: String
        /// Whether another program listens there already.
        public var isInUse = false
    }

    /// Reads the configuration again, and hands over the verdict once there is one; on any thread.
    public typealias Reloader = @Sendable (@escaping @Sendable (ReloadVerdict) -> Void) -> Void

    /// Sets the function that reloads when the admin socket is asked to; to be called before ``start(inherited:)``.
    public func reload(by reloader: @escaping Reloader) {
        state.withLock { $0.reloader = reloader }
    }

    /// How many loops a configuration asks for.
    public static func loopCount(_ configuration: Configuration) -> Int {
        if let count = configuration.loops { return max(1, count) }
        return Int(clinux_processor_count())
    }

    /// Opens the sockets and starts the loops.
    /// - Parameter inherited: sockets that the service manager opened.
    public func start(inherited: [Int32] = []) throws(StartFailure) {
        let table = state.withLock { $0.table }
        let configuration = table.configuration
        let count = Self.loopCount(configuration)
        let listening = try open(configuration.listeners, loops: count, inherited: inherited, keeping: [])
        let mailboxes = (0..<count).map { _ in Mailbox() }
        ring.set(mailboxes)
        credentials.keep(configuration)
        exporter.configure(configuration.trace)
        state.withLock {
            $0.listening = listening
            $0.mailboxes = mailboxes
            $0.loopsAtWork = Set(mailboxes.indices)
        }
        try runLoops(listening, mailboxes) { run(table, $0, $1) }
        writeAccessLog(to: state.withLock { $0.accessLog })
        writeAuditLog(to: state.withLock { $0.auditLog })
        arrange(listening, mailboxes)
    }

    /// - Returns: errno, or 0; then the loop runs.
    func run(_ table: RouteTable, _ mailbox: Mailbox, _ index: Int) -> Int32 {
        let vaults = credentials.vaults
        let dialing = self.dialing
        let cache = self.cache
        let metrics = self.metrics
        let notice = Self.notices(to: logger)
        let (reloader, documentMaker) = state.withLock { ($0.reloader, $0.documentMaker) }
        let credentials = self.credentials
        let shortages = self.shortages
        let (watch, exporter) = (self.watch, self.exporter)
        return ServiceThread.start("sluice-loop-\(index)") {
            let address = LoopAddress { message, mayBeRefused in
                if mayBeRefused { return mailbox.offer { $0.gateway.receive(message) } }
                mailbox.post { $0.gateway.receive(message) }
                return true
            }
            let gateway = Gateway(
                table: table, vaults: vaults, now: MonotonicClock.now(), seed: UInt64.random(in: .min ... .max),
                cache: cache, address: address, metrics: metrics)
            gateway.notice = notice
            watch.attach(to: gateway)
            gateway.spanSink = { exporter.take($0) }
            gateway.credentialBoard = credentials
            gateway.reloader = reloader.map { reload in
                { reload { verdict in mailbox.post { $0.gateway.reloadEnded(verdict) } } }
            }
            documentMaker.map { Self.make(by: $0, for: gateway, mailbox) }
            gateway.signer = { request, number in
                credentials.take(request) { answer in mailbox.post { $0.gateway.signInEnded(number, answer) } }
            }
            EventLoop(gateway: gateway, mailbox: mailbox, dialing: dialing, shortages: shortages).run()
        }
    }

    /// Tells each loop what to listen on.
    /// - Parameter change: what else changes with that: no request is judged by some of the old and some of the new.
    private func arrange(
        _ listening: [Listening], _ mailboxes: [Mailbox],
        with change: @escaping @Sendable (EventLoop) -> Void = { _ in }
    ) {
        let census = self.census
        let reserve = DescriptorReserve(
            state.withLock { $0.table.configuration.limits.descriptorReserve }, of: Self.descriptorsMax())
        for (index, mailbox) in mailboxes.enumerated() {
            mailbox.post { loop in
                change(loop)
                let before = loop.listeners
                loop.stopListening()
                for place in listening {
                    let acceptor = Acceptor(
                        descriptor: place.descriptors[index % place.descriptors.count], listener: place.listener,
                        tls: place.tls, census: census, reserve: reserve)
                    before.first { $0.descriptor == acceptor.descriptor }.map(acceptor.succeed)
                    loop.listen(acceptor)
                }
            }
        }
    }

    private func open(
        _ listeners: [Listener], loops: Int, inherited: [Int32], keeping old: [Listening]
    ) throws(StartFailure) -> [Listening] {
        var opened: [Listening] = []
        do {
            for listener in listeners {
                var place = Listening(listener: listener, descriptors: [], mode: listener.mode)
                if let settings = listener.tls {
                    let alpn = (listener.http2 ? ["h2"] : []) + ["http/1.1"]
                    place.tls = try ListenerTLS(settings, alpn: alpn, watcher: watcher, logger: logger)
                }
                if let known = old.first(where: { $0.listener.address == listener.address }) {
                    place.descriptors = known.descriptors
                    place.file = known.file
                    place.isInherited = known.isInherited
                } else if let given = inherited.first(where: { Socket.isBound($0, to: listener.address) }) {
                    place.descriptors = [given]
                    place.isInherited = true
                    Socket.prepare(inherited: given)
                } else if case .tcp = listener.address {
                    // Probed without SO_REUSEPORT, which would hide that another program has the address.
                    if let failure = Socket.probe(listener, beside: old.map(\.listener)) { throw failure }
                    place.descriptors = try Socket.listen(listener, count: loops)
                } else {
                    let (descriptor, file) = try Socket.opened(listener)
                    place.descriptors = [descriptor]
                    place.file = file
                }
                opened.append(place)
            }
            try state.withLock { state throws(StartFailure) in try state.narrowModes(of: &opened) }
        } catch {
            let new = opened.filter { place in !old.contains { $0.listener.address == place.listener.address } }
            unlinkSockets(of: new)
            for descriptor in new.flatMap(\.descriptors) { close(descriptor) }
            throw StartFailure(description: "\(error)", isInUse: (error as? Socket.ListenFailure)?.isInUse ?? false)
        }
        return opened
    }

    /// Puts a new configuration in force, between two requests of every loop.
    /// - Throws: where a new address cannot be listened on, or a socket not be given its new mode; then everything
    ///   stays as it was.
    public func reload(_ table: RouteTable) throws(StartFailure) {
        let (old, mailboxes) = state.withLock { ($0.listening, $0.mailboxes) }
        let listening = try open(table.configuration.listeners, loops: mailboxes.count, inherited: [], keeping: old)
        dialing.forgetContexts()
        cache.store.configure(table.configuration.cache)
        cache.tiers?.configure(table.configuration.cache)
        credentials.keep(table.configuration)
        exporter.configure(table.configuration.trace)
        let vaults = credentials.vaults
        arrange(listening, mailboxes) { $0.gateway.replace(table: table, vaults: vaults) }
        state.withLock {
            $0.table = table
            $0.listening = listening
        }
        widenModes(of: listening, mailboxes)
        let gone = old.filter { place in !listening.contains { $0.listener.address == place.listener.address } }
        unlinkSockets(of: gone)
        closeAfterLoops(gone, mailboxes)
    }

    /// Removes the files of Unix sockets that we have opened.
    func unlinkSockets(of places: [Listening]) {
        for place in places { place.file?.remove() }
    }

    /// Closes sockets once every loop has stopped watching them.
    private func closeAfterLoops(_ places: [Listening], _ mailboxes: [Mailbox]) {
        let descriptors = places.flatMap(\.descriptors)
        if descriptors.isEmpty { return }
        afterLoops(mailboxes) {
            for descriptor in descriptors { close(descriptor) }
        }
    }

    /// Stops accepting, lets what is in flight finish, then stops the loops.
    /// - Parameters:
    ///   - limit: how long to wait at most.
    ///   - done: called once, from any thread; says whether everything had finished in time.
    public func drain(within limit: Duration, done: @escaping @Sendable (Bool) -> Void) {
        let (mailboxes, listening, buffers) = state.withLock { state in
            defer { state.listening = [] }
            return (state.mailboxes, state.listening, state.accessBuffers + state.auditBuffers)
        }
        let deadline = MonotonicClock.now() &+ limit.nanosecondsClamped
        let verdict = DrainVerdict()
        let shared = listening.filter { $0.listener.purpose == .monitoring && !$0.hasOnePerLoop }
        let left = Countdown(mailboxes.count) { [logger, exporter] in
            for descriptor in shared.flatMap(\.descriptors) { close(descriptor) }
            Self.flush(buffers, logger)
            exporter.flush(within: Self.spansLimit)
            done(verdict.isClean)
        }
        // All loops stay until no client of any of them waits, because one may fetch for clients of others; and until
        // credentials are done: a refresh token may be good for one answer only, so no answer may be lost.
        let needed = Countdown(mailboxes.count + 1) {
            for mailbox in mailboxes { mailbox.post { $0.letGo() } }
        }
        drain(mailboxes, listening, until: deadline, verdict, needed, left)
        credentials.finish(within: limit) { needed.arrived() }
    }

    private func drain(
        _ mailboxes: [Mailbox], _ listening: [Listening], until deadline: UInt64, _ verdict: DrainVerdict,
        _ needed: Countdown, _ left: Countdown
    ) {
        // Before the loops hear of it, because the process may end as soon as they have.
        unlinkSockets(of: listening)
        // The monitor answers until the loops have ended.
        let closing = listening.filter { $0.listener.purpose != .monitoring }
        let shared = closing.filter { !$0.hasOnePerLoop }.flatMap(\.descriptors)
        let watching = Countdown(mailboxes.count) {
            for descriptor in shared { close(descriptor) }
        }
        let single = closing.filter(\.hasOnePerLoop)
        let inherited = listening.filter(\.isInherited).flatMap(\.descriptors)
        let monitors = listening.filter { $0.listener.purpose == .monitoring && $0.hasOnePerLoop }
        for (index, mailbox) in mailboxes.enumerated() {
            // In one message: what has been accepted is in flight when the drain begins.
            mailbox.post { loop in
                loop.acceptRemaining(closing: single.map { $0.descriptors[index] }, leaving: inherited)
                loop.stopListening(keepingMonitor: true)
                watching.arrived()
                loop.drain(until: deadline, isHeld: true, idle: needed.arrived) { [self] clean in
                    if !clean { verdict.spoil() }
                    // Else the kernel would go on giving the socket connections that no loop accepts.
                    for place in monitors { close(place.descriptors[index]) }
                    state.withLock { _ = $0.loopsAtWork.remove(index) }
                    left.arrived()
                }
            }
        }
    }

    /// Numbers of the loops that are still running; before a drain, all of them.
    public var loopsAtWork: [Int] { state.withLock { $0.loopsAtWork.sorted() } }

    /// Asks every loop to answer.
    /// - Parameter alive: called from the last loop that answers; never, while one of them is stuck.
    public func ping(_ alive: @escaping @Sendable () -> Void) {
        afterLoops(state.withLock { $0.mailboxes }, alive)
    }
}
