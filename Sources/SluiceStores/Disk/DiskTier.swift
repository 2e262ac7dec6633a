internal import Dispatch
public import SluiceCache
public import SluiceContract
internal import Synchronization

/// Stored responses in a folder: they survive a restart, however the process ended.
///
/// Writes wait in a queue of limited size and are done in one transaction on a queue of its own; responses that do not
/// fit are not kept. Lookups have another queue and another connection, so that no commit delays them. If the folder
/// fails, only its entries are lost: there is one warning, and the gateway serves without it.
public final class DiskTier: CacheTier {
    enum Job {
        case keep(StoredResponse, receivedAt: Int)
        case remove(UInt64)
        case used(UInt64)
        case purge(PurgeRequest)
    }

    struct State {
        var jobs: [Job] = []
        /// Bytes of the responses in `jobs`.
        var bytes = 0
        var isWriting = false
        var lookups = 0
        /// Purges not carried out yet: a lookup may find responses that they select.
        var purges: [PurgeRequest] = []
        /// How many of `purges`, from the first on, are being carried out.
        var purgesUnderWay = 0
        /// Purges that failed and are to be tried again.
        var owed: [Job] = []
        /// Counts how often the file was replaced.
        var generation = 0
        /// The last transaction failed, and this has been reported.
        var isFailing = false
        /// Responses not kept since the last warning, because the queue was full or the disk failed.
        var lost = 0
        var budget: Int
        /// Counters have changed that may not have reached the disk.
        var owesSync = false
        var isClosed = false

        /// Notes a purge behind all jobs. Where too many wait for a disk that fails, everything is purged instead.
        mutating func add(_ purge: PurgeRequest) {
            guard purges.count - purgesUnderWay >= DiskTier.purgesMax else {
                purges.append(purge)
                return jobs.append(.purge(purge))
            }
            let everything = PurgeRequest(.everything)
            purges = purges.prefix(purgesUnderWay) + [everything]
            (owed, jobs, bytes) = ([], [.purge(everything)], 0)
        }
    }

    public let place = TierPlace.disk
    public let secret: (UInt64, UInt64)
    public let epochs: Epochs
    let folder: DiskFolder
    let state: Mutex<State>
    let hangs = Atomic<Bool>(false)
    /// The folder is gone.
    let isAway = Atomic<Bool>(false)
    /// How long a lookup may take: a disk that hangs must not hold up the client that waits for an answer.
    let readTimeout: DispatchTimeInterval
    let warn: @Sendable (String) -> Void
    /// Unix seconds.
    let clock: @Sendable () -> Int
    let writes = DispatchQueue(label: "sluice.disk.write")
    let reads = DispatchQueue(label: "sluice.disk.read")
    /// Touched on `writes` alone.
    nonisolated(unsafe) var writer: DiskWriter
    /// Touched on `reads` alone.
    nonisolated(unsafe) var reader: DiskReader?

    /// Responses that wait to be written: their number, and their bytes.
    static let jobsMax = 8192
    static let bytesMax = 32 << 20
    /// Purges that wait.
    static let purgesMax = 1024
    /// Lookups that wait; more go without.
    static let lookupsMax = 1024
    /// How long closing may take.
    static let closeSeconds = 5
    /// Seconds between sweeps for expired entries.
    static let sweepSeconds = 60

    /// - Parameters:
    ///   - secret: the secret of the keys, where it is shared with other gateways; else the folder's own.
    ///   - budget: bytes of the file.
    ///   - clock: Unix seconds.
    ///   - warn: called with one sentence for the operator, from any thread.
    /// - Throws: ``StoreFailure`` where the folder cannot be used.
    public convenience init(
        _ path: String, secret: (UInt64, UInt64)? = nil, budget: Int, clock: @escaping @Sendable () -> Int,
        warn: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(
            path, secret: secret, budget: budget, readTimeout: .milliseconds(500), clock: clock, warn: warn)
    }

    init(
        _ path: String, secret: (UInt64, UInt64)?, budget: Int, readTimeout: DispatchTimeInterval,
        clock: @escaping @Sendable () -> Int, warn: @escaping @Sendable (String) -> Void
    ) throws {
        self.readTimeout = readTimeout
        let folder = try DiskFolder(path, secret: secret)
        self.folder = folder
        self.secret = folder.secret
        self.epochs = folder.epochs
        self.warn = warn
        self.clock = clock
        state = Mutex(State(budget: budget))
        writer = DiskWriter(folder)
        try writer.begin(warn)
        sweepLater()
    }

    /// A hanging disk is not waited for until it has done its pending work; nor is a folder that is gone.
    public var isResting: Bool { hangs.load(ordering: .relaxed) || isAway.load(ordering: .relaxed) }

    // MARK: - Writing

    public func keep(_ entry: StoredResponse, receivedAt: Int) {
        if isAway.load(ordering: .relaxed) { return }
        note(.keep(entry, receivedAt: receivedAt), bytes: entry.charge)
    }

    /// The counter is in its file already, which survives the process; a sync soon makes it survive the machine.
    public func invalidated(_ slot: UInt32) {
        let isFirst = state.withLock { state in
            defer { state.owesSync = true }
            return !state.owesSync
        }
        guard isFirst else { return }
        writes.asyncAfter(deadline: .now() + .seconds(1)) {
            self.state.withLock { $0.owesSync = false }
            self.folder.sync()
        }
    }

    public func purge(_ request: PurgeRequest) {
        note(.purge(request))
    }

    /// No other gateway uses the folder.
    public func slots(of label: EntryLabel) -> [UInt32] { [] }

    public func configure(_ settings: CacheSettings) {
        state.withLock { $0.budget = settings.diskBytes }
    }

    public func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        let done = DispatchSemaphore(value: 0)
        writes.async {
            self.write()
            // The last connection that closes merges the log into the file.
            self.reads.sync { self.reader = nil }
            self.writer.end()
            self.folder.unlock()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(Self.closeSeconds))
    }

    /// Appends a job to the queue. If the queue is full, a response is not kept, and the one it would have replaced is
    /// removed.
    func note(_ job: Job, bytes: Int = 0) {
        let isIdle = state.withLock { state in
            if state.isClosed { return false }
            switch job {
            case .purge(let request): state.add(request)
            case .keep(let entry, _) where state.bytes + bytes > Self.bytesMax || state.jobs.count >= Self.jobsMax:
                state.lost += 1
                guard state.jobs.count < Self.jobsMax * 2 else { return false }
                state.jobs.append(.remove(entry.key.low))
            case .used where state.jobs.count >= Self.jobsMax: return false
            default:
                state.jobs.append(job)
                state.bytes += bytes
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isIdle { writes.async { self.write() } }
    }

    /// Writes all waiting jobs, one transaction after the other, until one fails.
    func write() {
        while true {
            if !isAway.load(ordering: .relaxed) { inspect() }
            let (jobs, budget) = state.withLock { state in
                let jobs = state.owed + state.jobs
                (state.owed, state.jobs, state.bytes) = ([], [], 0)
                state.purgesUnderWay = state.purges.count
                if jobs.isEmpty { state.isWriting = false }
                return (jobs, state.budget)
            }
            if jobs.isEmpty || !settle(jobs, writer.write(jobs, budget: budget, clock())) { return }
        }
    }

    /// Outcome of a transaction.
    enum Outcome {
        case done
        case failed(Database.Failure)
        /// Not tried: it would fail.
        case skipped
    }

    /// - Returns: whether the next transaction may follow.
    private func settle(_ jobs: [Job], _ outcome: Outcome) -> Bool {
        let purges = jobs.filter { if case .purge = $0 { true } else { false } }
        switch outcome {
        case .done:
            let wasFailing = state.withLock { state in
                defer { state.isFailing = false }
                state.purges.removeFirst(min(purges.count, state.purges.count))
                state.purgesUnderWay = 0
                return state.isFailing
            }
            if wasFailing { warn("answers can be written to \(folder.path) again") }
            return true
        case .failed(let failure) where failure.isDamage:
            replaceFile(failure, generation: nil)
            return true
        case .failed(let failure):
            let isNew = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            guard isNew else { break }
            warn(
                "cannot write stored answers to \(folder.path): \(failure); serving goes on without writing, and it is"
                    + " tried again every \(DiskWriter.restSeconds) s")
        case .skipped: break
        }
        state.withLock { state in
            state.lost += jobs.count - purges.count
            // Until the purges are carried out, lookups leave out the responses that they select.
            state.owed = purges
            state.purgesUnderWay = 0
            state.isWriting = false
        }
        return false
    }

    /// Schedules the next removal of expired entries.
    private func sweepLater() {
        writes.asyncAfter(deadline: .now() + .seconds(Self.sweepSeconds)) { [weak self] in
            guard let self, !state.withLock({ $0.isClosed }) else { return }
            let lost = state.withLock { state in
                defer { state.lost = 0 }
                return state.lost
            }
            if lost > 0 { warn("\(lost) answers were not written to \(folder.path): more came than it takes") }
            if isAway.load(ordering: .relaxed) { beginAgain() }
            write()
            if case .failed(let failure) = writer.sweep(clock()), failure.isDamage {
                replaceFile(failure, generation: nil)
            }
            sweepLater()
        }
    }
}
