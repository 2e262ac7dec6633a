public import Observation
import Synchronization

/// What is at an address of the gateway, as one type: its state, and the ways to change it.
///
/// It is one object for all who hold it, and safe to use from anywhere. Views observe ``state`` (`Observable`), others
/// iterate ``states`` or wait for ``value()``. A load in flight is joined; when the last who iterates or waits has gone, it
/// is cancelled, down to the upstream.
public final class TypedResource<Content: Sendable>: Loadable, Observable, Identifiable {
    /// Somebody who waits for the end of a load.
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Result<Content, CallError>, Never>
    }

    private struct Whole {
        var machine: ResourceMachine<Content>
        var waiters: [UInt64: Waiter] = [:]
        var loads: [UInt64: Task<Void, Never>] = [:]
        var watchers = 0
        var nextWaiter: UInt64 = 0

        var isWatched: Bool { watchers > 0 || !waiters.isEmpty }
    }

    /// What goes on inside: the content's origin, or a state that never changes.
    private enum Origin {
        case loader(ResourceLoader<Content>)
        case fake
    }

    private let whole: Mutex<Whole>
    private let channel: StateChannel<ResourceState<Content>>
    private let registrar = ObservationRegistrar()
    private let origin: Origin
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        _ loader: ResourceLoader<Content>, _ freshness: ResourceFreshness,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        whole = Mutex(Whole(machine: ResourceMachine(freshness)))
        channel = StateChannel(ResourceState())
        origin = .loader(loader)
        self.now = now
    }

    /// A resource that is in a state and stays there: for previews and tests.
    public init(fakeState: ResourceState<Content>) {
        whole = Mutex(Whole(machine: ResourceMachine(ResourceFreshness())))
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
        return whole.withLock { $0.machine.state(at: now()) }
    }

    public var states: AsyncStream<ResourceState<Content>> {
        whole.withLock { $0.watchers += 1 }
        loadIfNeeded()
        // Whoever iterates keeps the resource alive.
        return channel.states {
            self.whole.withLock { $0.watchers -= 1 }
            self.endLoadsIfNobodyIsThere()
        }
    }

    public var isReloadable: Bool {
        if case .loader = origin { true } else { false }
    }

    public func loadIfNeeded() {
        begin(.ifNeeded)
    }

    public func load() {
        begin(.always)
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

    /// Asks for the content again at the next occasion, and past what the gateway has stored.
    public func invalidate() {
        change { $0.machine.invalidate() }
    }

    /// Gives up the content; loads in flight end, and the next one goes past what the gateway has stored.
    public func wipe() {
        let ended = change { whole in
            whole.machine.wipe()
            defer { whole.loads = [:] }
            return Array(whole.loads.values)
        }
        for load in ended { load.cancel() }
    }

    /// Holds content of the program's own until the next load; what is in flight does not take its place.
    public func override(_ content: Content) {
        change { [now] in $0.machine.override(content, at: now()) }
    }
}

extension TypedResource {
    /// Changes what is inside, and tells everybody who looks; what changed is told under one lock, so in one order.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout Whole) -> Result) -> Result {
        registrar.withMutation(of: self, keyPath: \.state) {
            whole.withLock { whole in
                let result = body(&whole)
                let state = whole.machine.state(at: now())
                channel.update { $0 = state }
                return result
            }
        }
    }

    private func begin(_ ask: ResourceMachine<Content>.Ask) {
        guard case .loader(let loader) = origin else { return }
        change { [now] whole in
            if case .start(let load) = whole.machine.asked(ask, at: now()) { self.start(load, loader, in: &whole) }
        }
    }

    private func start(_ load: ResourceLoad, _ loader: ResourceLoader<Content>, in whole: inout Whole) {
        whole.loads[load.number] = Task { await self.run(load, loader) }
    }

    private func run(_ load: ResourceLoad, _ loader: ResourceLoader<Content>) async {
        let number = load.number
        let tell: @Sendable (LoadProgress) -> Void = { [weak self] progress in
            self?.change { $0.machine.progressed(number, progress) }
        }
        do throws(CallError) {
            var outcome = try await loader.load(load, tell)
            if case .notModified(let time) = outcome {
                if change({ $0.machine.notModified(number, at: time) }) { return ended(number, nil) }
                let whole = ResourceLoad(number: number, etag: nil, passesCache: load.passesCache)
                outcome = try await loader.load(whole, tell)
            }
            guard case .new(let data, let source) = outcome else {
                throw .status(WholeAnswer(status: 304))
            }
            change { $0.machine.loaded(number, data, from: source) }
            ended(number, .success(data.content))
        } catch {
            change { [now] in $0.machine.failed(number, error, at: now()) }
            ended(number, .failure(error))
        }
    }

    /// Lets go those who wait for a load; nil where the content is the one that is held.
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
        let settled: Result<Content, CallError>? = change { [now] whole in
            switch whole.machine.asked(ask, at: now()) {
            case .settled(let result): return result
            case .join(let number): whole.waiters[id] = Waiter(number: number, continuation: continuation)
            case .start(let load):
                whole.waiters[id] = Waiter(number: load.number, continuation: continuation)
                self.start(load, loader, in: &whole)
            }
            return nil
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

    /// Somebody has gone: the last one lets the loads end. Whoever comes after that begins a load of their own.
    private func endLoadsIfNobodyIsThere() {
        guard whole.withLock({ !$0.isWatched && !$0.loads.isEmpty }) else { return }
        let ended: [Task<Void, Never>] = change { whole in
            guard !whole.isWatched else { return [] }
            whole.machine.abandonLoads()
            defer { whole.loads = [:] }
            return Array(whole.loads.values)
        }
        for load in ended { load.cancel() }
    }

    /// Runs a request that is no load, and is seen in the state.
    func tracked<Result>(
        mayChange: Bool, _ run: () async throws(CallError) -> Result
    ) async throws(CallError) -> Result {
        change { $0.machine.requestBegan() }
        do {
            let result = try await run()
            change { $0.machine.requestEnded(mayHaveChanged: mayChange) }
            return result
        } catch {
            change { $0.machine.requestEnded(mayHaveChanged: false) }
            throw error
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
