public import Observation

/// What is at an address of the gateway, as one type: its state, and the ways to change it.
///
/// It is one object for all who hold it, and safe to use from anywhere. Views observe ``state`` (`Observable`), others
/// iterate ``states`` or ``events``, or wait for ``value()``. A load in flight is joined; when the last caller that
/// iterates or waits has left, it is cancelled, down to the upstream. Loads of ``load()`` and ``loadIfNeeded()`` are
/// not cancelled that way: views that only observe rely on them.
public final class TypedResource<Content: Sendable>: Loadable, Observable, Identifiable {
    /// A caller that waits for the end of a load.
    private struct Waiter {
        var number: UInt64
        let continuation: CheckedContinuation<Result<Content, CallError>, Never>
    }

    private struct Load {
        let task: Task<Void, Never>
        /// It goes on although no caller iterates or waits.
        var isKept: Bool
    }

    private struct Whole {
        var machine: ResourceMachine<Content>
        var waiters: [UInt64: Waiter] = [:]
        var loads: [UInt64: Load] = [:]
        var watchers = 0
        var nextWaiter: UInt64 = 0

        var isWatched: Bool { watchers > 0 || !waiters.isEmpty }
    }

    /// What goes on inside: the content's origin, or a state that never changes.
    private enum Origin {
        case loader(ResourceLoader<Content>)
        case fake
    }

    private let whole: Locked<Whole>
    private let channel: StateChannel<ResourceState<Content>>
    private let happened = EventChannel<ResourceEvent>()
    private let registrar = ObservationRegistrar()
    private let origin: Origin
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        _ loader: ResourceLoader<Content>, _ freshness: ResourceFreshness,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        whole = Locked(Whole(machine: ResourceMachine(freshness)))
        channel = StateChannel(ResourceState())
        origin = .loader(loader)
        self.now = now
    }

    /// A resource that is in a state and stays there, whatever it is told, but for ``override(_:)``: for previews and
    /// tests.
    public init(fakeState: ResourceState<Content>) {
        whole = Locked(Whole(machine: ResourceMachine(ResourceFreshness())))
        channel = StateChannel(fakeState)
        origin = .fake
        now = { ContinuousClock.now }
    }

    /// Everything that is known now, as one value.
    public var state: ResourceState<Content> {
        registrar.access(self, keyPath: \.state)
        return channel.state
    }

    /// The latest content.
    public var content: Content? { state.content }

    /// What the resource's state is now, with its age looked at again; for decisions, not for views.
    public var currentState: ResourceState<Content> {
        if case .fake = origin { return channel.state }
        let time = now()
        return whole.withLock { $0.machine.state(at: time) }
    }

    public var states: AsyncStream<ResourceState<Content>> {
        whole.withLock { $0.watchers += 1 }
        begin(.ifNeeded, isKept: false)
        // An iterating caller keeps the resource alive.
        return channel.states { self.watcherLeft() }
    }

    /// What happens from now on, one after the other: a slow reader of states gets the newest, events are kept for it.
    /// Iterating counts as needing the content, as with ``states``.
    public var events: AsyncStream<ResourceEvent> {
        whole.withLock { $0.watchers += 1 }
        defer { begin(.ifNeeded, isKept: false) }
        return happened.events { self.watcherLeft() }
    }

    public var isReloadable: Bool {
        if case .loader = origin { true } else { false }
    }

    public func loadIfNeeded() {
        begin(.ifNeeded, isKept: true)
    }

    public func load() {
        begin(.always, isKept: true)
    }

    /// The content: what is held, if it is fresh enough, else what the load in flight or a new one brings.
    public func value() async throws(CallError) -> Content {
        try await outcome(.ifNeeded).get()
    }

    /// The content as it is upstream now, whatever is held here or stored in the gateway.
    @discardableResult
    public func freshValue() async throws(CallError) -> Content {
        try await outcome(.always).get()
    }

    /// Asks for the content again, past what the gateway has stored: at once while a caller iterates, else at the next
    /// occasion.
    public func invalidate() {
        guard isReloadable else { return }
        change { whole, time in
            whole.machine.invalidate()
            renew(&whole, at: time)
        }
    }

    /// Gives up the content; loads in flight end, and the next one goes past what the gateway has stored. It begins at
    /// once if a caller waits or iterates.
    public func wipe() {
        guard isReloadable else { return }
        let ended = change { whole, time in
            let ended = whole.loads.values.map(\.task)
            whole.loads = [:]
            whole.machine.wipe()
            renew(&whole, at: time, movingWaiters: true)
            return ended
        }
        for load in ended { load.cancel() }
    }

    /// Holds content of the program's own until the next load; what is in flight does not take its place.
    public func override(_ content: Content) {
        change { $0.machine.override(content, at: $1) }
    }
}

extension TypedResource {
    private typealias Instant = ContinuousClock.Instant

    /// Changes the state, and notifies all observers.
    @discardableResult
    private func change<Result>(_ body: (inout Whole, Instant) -> Result) -> Result {
        changeIfSaid { (body(&$0, $1), true) }
    }

    /// Likewise, where `body` says that it has changed anything: observers that are notified without a change might ask
    /// again and again.
    private func changeIfSaid<Result>(_ body: (inout Whole, Instant) -> (Result, isChanged: Bool)) -> Result {
        let time = now()
        let (result, isChanged, before) = whole.withLock { whole in
            let (result, isChanged) = body(&whole, time)
            guard isChanged else { return (result, isChanged, nil as ResourceState<Content>?) }
            // Under the lock, so that all see the changes in one order.
            let state = whole.machine.state(at: time)
            let before = channel.update { $0 = state }
            happened.tell(whole.machine.takeEvents())
            return (result, isChanged, before)
        }
        // Released without the lock: content may have an end of its own.
        withExtendedLifetime(before) {}
        // Not before: a view that reads between being told and the change would hear of nothing any more.
        if isChanged { registrar.withMutation(of: self, keyPath: \.state) {} }
        return result
    }

    private func begin(_ ask: ResourceMachine<Content>.Ask, isKept: Bool) {
        guard case .loader(let loader) = origin else { return }
        changeIfSaid { whole, time in
            switch whole.machine.asked(ask, at: time) {
            case .start(let load):
                start(load, loader, isKept: isKept, in: &whole)
                return ((), true)
            case .join(let number): if isKept { whole.loads[number]?.isKept = true }
            case .settled: break
            }
            return ((), false)
        }
    }

    /// The content is gone, or no longer reliable: callers that need it should not have to ask again themselves.
    private func renew(_ whole: inout Whole, at time: Instant, movingWaiters: Bool = false) {
        guard movingWaiters ? whole.isWatched : whole.watchers > 0, case .loader(let loader) = origin,
            case .start(let load) = whole.machine.asked(.ifNeeded, at: time)
        else { return }
        if movingWaiters {
            for id in whole.waiters.keys { whole.waiters[id]?.number = load.number }
        }
        start(load, loader, isKept: false, in: &whole)
    }

    private func start(
        _ load: ResourceLoad, _ loader: ResourceLoader<Content>, isKept: Bool, in whole: inout Whole
    ) {
        whole.loads[load.number] = Load(task: Task { await self.run(load, loader) }, isKept: isKept)
    }

    private func run(_ load: ResourceLoad, _ loader: ResourceLoader<Content>) async {
        let number = load.number
        let tell: @Sendable (LoadProgress) -> Void = { [weak self] progress in
            self?.change { whole, _ in whole.machine.progressed(number, progress) }
        }
        do throws(CallError) {
            switch try await loader.load(load, tell) {
            case .notModified(let time):
                change { whole, _ in whole.machine.notModified(number, at: time) }
                ended(number, nil)
            case .new(let data, let source):
                change { whole, _ in whole.machine.loaded(number, data, from: source) }
                ended(number, .success(data.content))
            }
        } catch {
            change { $0.machine.failed(number, error, at: $1) }
            ended(number, .failure(error))
        }
    }

    /// Resumes the callers that wait for a load; nil where the content is the one that is held.
    private func ended(_ number: UInt64, _ result: Result<Content, CallError>?) {
        let (waiters, held) = whole.withLock { whole in
            whole.loads[number] = nil
            let waiters = whole.waiters.filter { $0.value.number == number }
            for id in waiters.keys { whole.waiters[id] = nil }
            return (waiters.values.map(\.continuation), whole.machine.data?.content)
        }
        let outcome = result ?? held.map { .success($0) } ?? .failure(.cancelled)
        for waiter in waiters { waiter.resume(returning: outcome) }
    }
}

extension TypedResource {
    private func outcome(_ ask: ResourceMachine<Content>.Ask) async -> Result<Content, CallError> {
        let id = whole.withLock { whole in
            whole.nextWaiter += 1
            return whole.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(id, ask, continuation)
                // The task may have been cancelled before it stood in the list.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func enter(
        _ id: UInt64, _ ask: ResourceMachine<Content>.Ask,
        _ continuation: CheckedContinuation<Result<Content, CallError>, Never>
    ) {
        guard case .loader(let loader) = origin else {
            enterFake(id, continuation)
            return
        }
        let settled: Result<Content, CallError>? = changeIfSaid { whole, time in
            switch whole.machine.asked(ask, at: time) {
            case .settled(let result): return (result, false)
            case .join(let number):
                whole.waiters[id] = Waiter(number: number, continuation: continuation)
                return (nil, false)
            case .start(let load):
                whole.waiters[id] = Waiter(number: load.number, continuation: continuation)
                start(load, loader, isKept: false, in: &whole)
                return (nil, true)
            }
        }
        if let settled { continuation.resume(returning: settled) }
    }

    /// A fake answers with what it is; one that is loading never does.
    private func enterFake(_ id: UInt64, _ continuation: CheckedContinuation<Result<Content, CallError>, Never>) {
        let state = channel.state
        if let error = state.latestError {
            continuation.resume(returning: .failure(error))
        } else if let content = state.content {
            continuation.resume(returning: .success(content))
        } else {
            whole.withLock { $0.waiters[id] = Waiter(number: 0, continuation: continuation) }
        }
    }

    private func leave(_ id: UInt64) {
        let continuation = whole.withLock { $0.waiters.removeValue(forKey: id)?.continuation }
        guard let continuation else { return }
        continuation.resume(returning: .failure(.cancelled))
        endLoadsIfNobodyIsThere()
    }

    private func watcherLeft() {
        whole.withLock { $0.watchers -= 1 }
        endLoadsIfNobodyIsThere()
    }

    /// A caller has left: after the last one the loads end. A later caller begins a new load.
    private func endLoadsIfNobodyIsThere() {
        let ended: [Task<Void, Never>] = changeIfSaid { whole, _ in
            let ended = whole.isWatched ? [:] : whole.loads.filter { !$0.value.isKept }
            for number in ended.keys {
                whole.loads[number] = nil
                whole.machine.abandon(number)
            }
            return (ended.values.map(\.task), !ended.isEmpty)
        }
        for load in ended { load.cancel() }
    }

    /// Runs a request that is no load, and is seen in the state.
    func tracked<Result>(
        _ effect: RequestEffect, _ run: () async throws(CallError) -> Result
    ) async throws(CallError) -> Result {
        guard isReloadable else { return try await run() }
        change { whole, _ in whole.machine.requestBegan() }
        do {
            let result = try await run()
            requestEnded(mayHaveChanged: effect != .none, renews: effect == .outdates)
            return result
        } catch {
            let mayHaveChanged = effect != .none && error.mayHaveHappened
            requestEnded(mayHaveChanged: mayHaveChanged, renews: mayHaveChanged)
            throw error
        }
    }

    private func requestEnded(mayHaveChanged: Bool, renews: Bool) {
        change { whole, time in
            whole.machine.requestEnded(mayHaveChanged: mayHaveChanged)
            if renews { renew(&whole, at: time) }
        }
    }
}

extension TypedResource: Hashable {
    /// A resource is itself, whatever it holds.
    public static func == (one: TypedResource, other: TypedResource) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
