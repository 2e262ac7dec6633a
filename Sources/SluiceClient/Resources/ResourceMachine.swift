/// A resource's life, without time and without a network: facts in, orders out.
///
/// Loads are numbered in the order they begin. What a load brings counts only if no later one has brought something,
/// and makes the resource fresh only if nothing was invalidated since the load began.
struct ResourceMachine<Content: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The kind of request.
    enum Ask: Sendable {
        /// Only if what is held is not good enough.
        case ifNeeded
        /// Whatever is held.
        case always
    }

    /// What is to be done for a request.
    enum Order: Sendable {
        /// Begin a load.
        case start(ResourceLoad)
        /// Wait for the load of that number.
        case join(UInt64)
        /// There is nothing to do: this is what there is.
        case settled(Result<Content, CallError>)
    }

    let freshness: ResourceFreshness
    private(set) var data: ResourceData<Content>?
    /// Of which load, by its number.
    private var failure: (error: CallError, time: Instant, number: UInt64)?
    /// The number of the latest load or change that began.
    private var latest: UInt64 = 0
    /// The load or change that what is held came from.
    private var taken: UInt64 = 0
    /// Loads up to this number bring nothing that is fresh.
    private var invalidated: UInt64 = 0
    private var isInvalid = false
    private var loads: [UInt64: LoadProgress] = [:]
    private var requests = 0
    private var event: ResourceEvent = .initial {
        didSet { untold.append(event) }
    }
    /// What has happened, until it is taken.
    private var untold: [ResourceEvent] = []

    init(_ freshness: ResourceFreshness) {
        self.freshness = freshness
    }

    /// What has happened since it was asked the last time.
    mutating func takeEvents() -> [ResourceEvent] {
        defer { untold = [] }
        return untold
    }

    func state(at now: Instant) -> ResourceState<Content> {
        let times = [data?.timestamp, failure?.time].compactMap(\.self)
        return ResourceState(
            latestData: data, latestError: failure?.error, isLoading: !loads.isEmpty,
            isRequesting: !loads.isEmpty || requests > 0, isUpToDate: isUpToDate(at: now), timestamp: times.max(),
            progress: loads.max { $0.key < $1.key }?.value, event: event)
    }

    private func isUpToDate(at now: Instant) -> Bool {
        guard let data, !isInvalid, failure == nil else { return false }
        return data.timestamp.duration(to: now) < freshness.fresh
    }

    mutating func asked(_ ask: Ask, at now: Instant) -> Order {
        if ask == .ifNeeded {
            if let current = loads.keys.max(), current > invalidated { return .join(current) }
            if isUpToDate(at: now), let data { return .settled(.success(data.content)) }
            if let failure, !isInvalid || failure.number > invalidated, failure.time.duration(to: now) < freshness.retry
            {
                return .settled(.failure(failure.error))
            }
        }
        latest += 1
        loads[latest] = LoadProgress()
        event = .requested
        let passesCache = ask == .always || isInvalid
        return .start(ResourceLoad(number: latest, etag: data?.etag, passesCache: passesCache))
    }

    mutating func progressed(_ number: UInt64, _ progress: LoadProgress) {
        if loads[number] != nil { loads[number] = progress }
    }

    mutating func loaded(_ number: UInt64, _ new: ResourceData<Content>, from source: ResourceEvent.Source) {
        guard end(number), number > taken else { return }
        data = new
        settle(number, .newData(source))
    }

    /// The content has not changed. A load that was given up with its content, by a wipe, is none any more.
    mutating func notModified(_ number: UInt64, at time: Instant) {
        guard end(number), number > taken else { return }
        data?.timestamp = time
        settle(number, .notModified)
    }

    private mutating func settle(_ number: UInt64, _ event: ResourceEvent) {
        taken = number
        failure = nil
        if number > invalidated { isInvalid = false }
        self.event = event
    }

    /// A load has failed; the content stays.
    mutating func failed(_ number: UInt64, _ error: CallError, at now: Instant) {
        guard end(number), number > taken else { return }
        if case .cancelled = error {
            event = .requestCancelled
        } else {
            // What is invalid stays so: the gateway's stored copy is no answer to the next load either.
            failure = (error, now, number)
            event = .error
        }
    }

    /// No caller waits for a load: later callers do not wait for it either.
    mutating func abandon(_ number: UInt64) {
        if end(number) { event = .requestCancelled }
    }

    private mutating func end(_ number: UInt64) -> Bool {
        loads.removeValue(forKey: number) != nil
    }

    mutating func requestBegan() {
        requests += 1
        event = .requested
    }

    /// A request that may change the resource has ended; after a success the content is asked for again (RFC 9111
    /// §4.4).
    mutating func requestEnded(mayHaveChanged: Bool) {
        requests -= 1
        if mayHaveChanged { invalidate() }
    }

    mutating func invalidate() {
        invalidated = latest
        isInvalid = data != nil || failure != nil || !loads.isEmpty
        event = .invalidated
    }

    /// Gives up content and error. What is on its way is not taken.
    mutating func wipe() {
        latest += 1
        taken = latest
        loads = [:]
        data = nil
        failure = nil
        isInvalid = true
        invalidated = latest
        event = .newData(.wipe)
    }

    /// Content of the program's own; what a load begun before brings is not taken.
    mutating func override(_ content: Content, at now: Instant) {
        latest += 1
        taken = latest
        data = ResourceData(content: content, timestamp: now, etag: nil, mediaType: data?.mediaType)
        failure = nil
        isInvalid = false
        event = .newData(.localOverride)
    }
}

/// A load to begin.
struct ResourceLoad: Sendable {
    let number: UInt64
    /// The validator of what is held.
    let etag: String?
    /// Whether the gateway is to ask the upstream, whatever it has stored.
    let passesCache: Bool
}
