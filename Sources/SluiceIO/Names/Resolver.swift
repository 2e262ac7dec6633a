internal import Dispatch
public import SluiceSockets
internal import Synchronization

/// Resolves names off the loops and remembers the answers.
///
/// Answers are served from memory. The first question after the refresh interval still gets the old answer, and starts
/// a look-up that replaces it; a failed look-up removes nothing. Only a name that was never resolved, or not for
/// ``Settings/staleMax``, has to be waited for; all callers share one look-up.
public final class Resolver: Sendable {
    public typealias Answer = Result<[SocketAddress], ResolveFailure>
    /// Called once, from any thread, possibly before `resolve` returns; not at all where it has been withdrawn.
    public typealias Delivery = @Sendable (Answer) -> Void

    /// Times in nanoseconds.
    public struct Settings: Sendable {
        /// An older answer is looked up anew when it is asked for.
        public var refresh: UInt64 = 30_000_000_000
        /// An older answer is no longer served while that happens.
        public var staleMax: UInt64 = 600_000_000_000
        /// A failure is remembered for so long.
        public var retry: UInt64 = 1_000_000_000
        /// Look-ups that block a thread at a time.
        public var lookupsMax = 4
        /// Deliveries that wait at a time.
        public var waitingMax = 4096
        /// Of these, deliveries that wait for one name: one whose name server is silent leaves room for the others.
        public var waitingPerNameMax = 1024
        /// Names remembered.
        public var namesMax = 1024

        public init() {}
    }

    private struct Name: Hashable {
        let host: String
        let port: Int
    }

    /// A delivery that waits.
    public struct Ticket: Sendable {
        fileprivate let host: String
        fileprivate let port: Int
        fileprivate let number: UInt64
    }

    private struct Waiting {
        let number: UInt64
        let deliver: Delivery
    }

    private struct Entry {
        var answer: Answer?
        /// From this time on, the next question starts a look-up.
        var refreshAt: UInt64 = 0
        /// When the addresses in `answer` were found.
        var foundAt: UInt64 = 0
        var isLookingUp = false
        /// The oldest one first.
        var waiting: [Waiting] = []
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        /// Names whose look-up waits for a thread.
        var queue: [Name] = []
        var running = 0
        var waiting = 0
        /// Of the latest delivery that was put to wait.
        var number: UInt64 = 0
    }

    private let settings: Settings
    private let clock: @Sendable () -> UInt64
    private let lookUp: @Sendable (_ host: String, _ port: Int) -> Answer
    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "sluice.resolver", attributes: .concurrent)

    public convenience init(_ settings: Settings = Settings()) {
        self.init(settings, clock: { MonotonicClock.now() }, lookUp: { NameLookup.system(host: $0, port: $1) })
    }

    init(
        _ settings: Settings, clock: @escaping @Sendable () -> UInt64,
        lookUp: @escaping @Sendable (_ host: String, _ port: Int) -> Answer
    ) {
        self.settings = settings
        self.clock = clock
        self.lookUp = lookUp
    }

    /// Finds the addresses of `host`, a name or a literal, in the order in which they should be tried.
    /// - Returns: what ``withdraw(_:)`` takes; nil where the answer has been delivered.
    @discardableResult
    public func resolve(host: String, port: Int, deliver: @escaping Delivery) -> Ticket? {
        if let addresses = NameLookup.immediate(host: host, port: port) {
            deliver(.success(addresses))
            return nil
        }
        let name = Name(host: host.lowercased(), port: port)
        let now = clock()
        let (answer, number) = state.withLock { state in (decide(name, deliver, now, &state), state.number) }
        guard let answer else { return Ticket(host: name.host, port: port, number: number) }
        deliver(answer)
        return nil
    }

    /// Gives up the place of a delivery that nobody needs any more. It may be on its way already. A look-up that nobody
    /// waits for and that has not begun is not made.
    public func withdraw(_ ticket: Ticket) {
        let name = Name(host: ticket.host, port: ticket.port)
        state.withLock { state in
            guard let index = state.entries[name]?.waiting.firstIndex(where: { $0.number == ticket.number }) else {
                return
            }
            state.entries[name]?.waiting.remove(at: index)
            state.waiting -= 1
            guard let entry = state.entries[name], entry.waiting.isEmpty, entry.answer == nil,
                let place = state.queue.firstIndex(of: name)
            else { return }
            state.queue.remove(at: place)
            state.entries[name] = nil
        }
    }

    /// - Returns: what can be delivered at once; nil where `deliver` was put to wait, under `state.number`.
    private func decide(
        _ name: Name, _ deliver: @escaping Delivery, _ now: UInt64, _ state: inout State
    ) -> Answer? {
        var entry = state.entries[name] ?? Entry()
        if let answer = entry.answer {
            if now < entry.refreshAt { return answer }
            if case .success = answer, now < entry.foundAt + settings.staleMax {
                startLookUp(name, &entry, &state)
                state.entries[name] = entry
                return answer
            }
        }
        guard state.waiting < settings.waitingMax, entry.waiting.count < settings.waitingPerNameMax else {
            return .failure(.overloaded)
        }
        if state.entries[name] == nil, state.entries.count >= settings.namesMax {
            guard forgetOne(&state) else { return .failure(.overloaded) }
        }
        state.number += 1
        entry.waiting.append(Waiting(number: state.number, deliver: deliver))
        state.waiting += 1
        startLookUp(name, &entry, &state)
        state.entries[name] = entry
        return nil
    }

    private func startLookUp(_ name: Name, _ entry: inout Entry, _ state: inout State) {
        guard !entry.isLookingUp else { return }
        entry.isLookingUp = true
        guard state.running < settings.lookupsMax else { return state.queue.append(name) }
        state.running += 1
        run(name)
    }

    private func run(_ name: Name) {
        threads.async { [self] in finish(name, lookUp(name.host, name.port)) }
    }

    private func finish(_ name: Name, _ answer: Answer) {
        let now = clock()
        let (delivery, waiting) = state.withLock { state -> (Answer, [Waiting]) in
            state.running -= 1
            if !state.queue.isEmpty {
                state.running += 1
                run(state.queue.removeFirst())
            }
            guard var entry = state.entries[name] else { return (answer, []) }
            let waiting = entry.waiting
            state.waiting -= waiting.count
            entry.waiting = []
            entry.isLookingUp = false
            if case .success = answer {
                entry.answer = answer
                entry.foundAt = now
                entry.refreshAt = now + settings.refresh
            } else {
                entry.refreshAt = now + settings.retry
                // Old addresses are better than none.
                if case .success? = entry.answer {} else { entry.answer = answer }
            }
            let delivery = entry.answer ?? answer
            state.entries[name] = entry
            return (delivery, waiting)
        }
        for one in waiting { one.deliver(delivery) }
    }

    /// Makes room by forgetting the name that was looked up the longest ago.
    private func forgetOne(_ state: inout State) -> Bool {
        let idle = state.entries.filter { !$0.value.isLookingUp }
        guard let oldest = idle.min(by: { $0.value.refreshAt < $1.value.refreshAt }) else { return false }
        state.entries[oldest.key] = nil
        return true
    }
}
