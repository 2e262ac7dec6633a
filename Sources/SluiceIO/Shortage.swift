internal import Logging
internal import SluiceContract
internal import Synchronization

/// Logs when a resource is used up, and when it no longer is: once each, however many clients are affected.
final class Shortage: Sendable {
    private struct State {
        var since: UInt64
        var last: UInt64
        /// How often the resource was missing.
        var count = 1
    }

    /// The shortage is over after this time without another occurrence.
    static let quietNanoseconds: UInt64 = 10_000_000_000

    private let logger: Logger
    private let began: String
    private let over: String
    private let state = Mutex<State?>(nil)
    private let isThere = Atomic<Bool>(false)

    /// - Parameters:
    ///   - began: the message when it begins, with advice.
    ///   - over: the message when it is over.
    init(_ logger: Logger, began: String, over: String) {
        self.logger = logger
        self.began = began
        self.over = over
    }

    /// The resource was needed and not available.
    /// - Parameter reason: the system's word for it.
    func occurred(at now: UInt64, _ reason: @autoclosure () -> String? = nil) {
        let isNews = state.withLock { state in
            if let present = state {
                // Each loop has a clock of its own, and they differ by a turn.
                state?.last = max(present.last, now)
                state?.count += 1
                return false
            }
            state = State(since: now, last: now)
            return true
        }
        guard isNews else { return }
        isThere.store(true, ordering: .relaxed)
        logger.warning("\(began)", metadata: reason().map { ["reason": "\($0)"] })
    }

    /// To be called regularly.
    func look(at now: UInt64) {
        guard isThere.load(ordering: .relaxed) else { return }
        let ended = state.withLock { state -> State? in
            guard let present = state, now >= present.last &+ Self.quietNanoseconds else { return nil }
            state = nil
            isThere.store(false, ordering: .relaxed)
            return present
        }
        guard let ended else { return }
        let seconds = (ended.last - ended.since) / 1_000_000_000
        logger.notice("\(over)", metadata: ["seconds": "\(seconds)", "times": "\(ended.count)"])
    }
}

/// What clients and upstreams may use up.
struct Shortages: Sendable {
    let descriptors: Shortage
    let ports: Shortage
    let connections: Shortage
    let connectionsPerClient: Shortage

    init(_ limits: Limits, descriptorsMax: Int, _ logger: Logger) {
        descriptors = Shortage(
            logger,
            began: "no file descriptor is left for another connection, of \(descriptorsMax): clients wait until others"
                + " leave; raise the limit (LimitNOFILE= of the service, ulimit -n)",
            over: "there are file descriptors for connections again")
        ports = Shortage(
            logger,
            began: "no local port is left for another connection to an upstream: requests that need one are refused;"
                + " raise 'idle-max' of its 'pool:' where connections are not used again, or ip_local_port_range",
            over: "there are local ports for connections again")
        connections = Shortage(
            logger,
            began: "there are \(limits.connections) client connections: others are turned away; raise 'limits:"
                + " connections' where these are wanted",
            over: "there is room for client connections again")
        connectionsPerClient = Shortage(
            logger,
            began: "a client has \(limits.connectionsPerClient) connections: its others are turned away; raise 'limits:"
                + " connections-per-client' where these are wanted",
            over: "no client has more connections than it may")
    }

    func look(at now: UInt64) {
        descriptors.look(at: now)
        ports.look(at: now)
        connections.look(at: now)
        connectionsPerClient.look(at: now)
    }
}
