internal import Dispatch
public import SluiceCache
public import SluiceContract
internal import SluiceIO
internal import Synchronization

/// Stored responses on a server of the Redis kind, shared by all gateways that use it.
///
/// All waiting for the server happens on the tier's own queue. While the server does not answer, the tier rests:
/// requests do not wait for it, responses are not stored, and it is tried again in the background from time to time.
/// Invalidations are kept meanwhile, and are sent first when the server is back.
public final class SharedTier: CacheTier {
    struct Lookup {
        let query: TierQuery
        let answer: SingleReply
    }

    struct State {
        var lookups: [Lookup] = []
        var stores: [(entry: StoredResponse, receivedAt: Int)] = []
        /// Bytes of `stores`.
        var bytes = 0
        /// Our invalidations and purges that the server has not heard of.
        var untold: UntoldMarks
        var isWorking = false
        var isClosed = false
        /// Largest record that is looked at, bytes.
        var recordBytesMax: Int
    }

    public let place = TierPlace.shared
    /// The secret of the keys, the same on every gateway that uses the store.
    public let secret: (UInt64, UInt64)
    let settings: CacheSettings.SharedStore
    /// How long a lookup may take, whatever the server is busy with.
    private let patience: Duration
    let password: String?
    let epochs: Epochs
    let state: Mutex<State>
    /// Whether the server answered when it was last asked.
    let isReady = Atomic<Bool>(false)
    let warn: @Sendable (String) -> Void
    let queue = DispatchQueue(label: "sluice.shared")
    /// The following members are used only on `queue`.
    let marks: SharedMarks
    nonisolated(unsafe) var connection: RedisConnection?
    nonisolated(unsafe) var isFirstLook = true
    nonisolated(unsafe) var wasReady: Bool?
    nonisolated(unsafe) var pauseMilliseconds = SharedTier.pauseMillisecondsMin
    /// The server is not tried again before this time.
    nonisolated(unsafe) var restEnd = DispatchTime.now()
    nonisolated(unsafe) var random = SystemRandomNumberGenerator()

    static let lookupsMax = 1024
    static let storesMax = 4096
    static let storedBytesMax = 16 << 20
    static let pauseMillisecondsMin = 100
    static let pauseMillisecondsMax = 10_000
    /// Interval of the checks for other gateways' invalidations.
    static let lookMilliseconds = 500
    /// The largest size of a record beside its body, in bytes.
    static let recordOverheadBytes = 256 << 10

    /// - Parameters:
    ///   - shared: where the server is.
    ///   - settings: of the whole cache.
    ///   - password: the text itself.
    ///   - marks: known invalidations of other gateways; kept by the disk tier where there is one.
    ///   - untold: our invalidations that the server has not heard of; kept by the disk tier, too.
    ///   - epochs: of the memory store.
    ///   - patience: how long a lookup may take; nil for as long as a reply.
    ///   - warn: called with one sentence for the operator, from any thread.
    init(
        _ shared: CacheSettings.SharedStore, _ settings: CacheSettings, password: String?, marks: SharedMarks,
        untold: UntoldMarks, epochs: Epochs, patience: Duration? = nil, warn: @escaping @Sendable (String) -> Void
    ) {
        self.settings = shared
        self.patience = patience ?? shared.replyTimeout
        self.password = password
        self.marks = marks
        self.epochs = epochs
        self.warn = warn
        secret = SharedSecret.derive(password: password)
        state = Mutex(State(untold: untold, recordBytesMax: settings.entryBytes + Self.recordOverheadBytes))
    }

    /// Connects; returns when connected, or after a time limit.
    func start() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.look()
            done.signal()
        }
        let patience = settings.connectTimeout + settings.replyTimeout
        _ = done.wait(timeout: .now() + .nanoseconds(Int(patience.nanosecondsClamped)))
    }

    public var isResting: Bool { !isReady.load(ordering: .relaxed) }

    public func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void) {
        let answer = SingleReply(reply)
        let isTaken = note { state in
            guard state.lookups.count < Self.lookupsMax else { return false }
            state.lookups.append(Lookup(query: query, answer: answer))
            return true
        }
        guard isTaken else {
            answer.give(nil)
            return
        }
        // Many lookups at once, or stores in progress, must not make a lookup wait longer.
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(patience.nanosecondsClamped))) {
            answer.give(nil)
        }
    }

    public func keep(_ entry: StoredResponse, receivedAt: Int) {
        if isResting { return }
        _ = note { state in
            guard state.stores.count < Self.storesMax, state.bytes + entry.charge <= Self.storedBytesMax else {
                return false
            }
            state.stores.append((entry, receivedAt))
            state.bytes += entry.charge
            return true
        }
    }

    public func invalidated(_ slot: UInt32) {
        _ = note { state in
            state.untold.insert(SharedMarks.hardIndex + Int(slot))
            return true
        }
    }

    public func purge(_ request: PurgeRequest) {
        let index = SharedMarks.index(request, secret)
        _ = note { state in
            // Waiting stores would be written with the words of after the purge.
            state.stores.removeAll { request.selects($0.entry) }
            state.bytes = state.stores.reduce(0) { $0 + $1.entry.charge }
            state.untold.insert(index)
            return true
        }
    }

    public func slots(of label: EntryLabel) -> [UInt32] { SharedMarks.slots(of: label, secret) }

    public func configure(_ settings: CacheSettings) {
        state.withLock { $0.recordBytesMax = settings.entryBytes + Self.recordOverheadBytes }
    }

    public func close() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.work()
            let untold = self.state.withLock { state in
                state.isClosed = true
                return state.untold
            }
            if !untold.isEmpty, !untold.isRecorded {
                self.warn(
                    "the shared cache at \(self.settings.address.text) has not heard of \(untold.count) invalidations:"
                        + " once it is back, purge it (sluice cache purge --all); with 'disk:' they would be kept")
            }
            self.isReady.store(false, ordering: .relaxed)
            self.connection = nil
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(1))
    }

    /// Changes the list of work, and starts the queue where it is idle.
    private func note(_ change: (inout State) -> Bool) -> Bool {
        let (isTaken, isIdle) = state.withLock { state in
            guard !state.isClosed, change(&state) else { return (false, false) }
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        if isIdle { queue.async { self.work() } }
        return isTaken
    }
}
