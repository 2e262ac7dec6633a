internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// What the runners of credentials work with: a queue, the clock, the state folder, and the loops.
final class CredentialTools: Sendable {
    /// What the runners of credentials need from the loops.
    struct Surroundings: Sendable {
        /// Makes a request on some loop; the answer comes on any thread.
        var send: @Sendable (OwnRequest, @escaping @Sendable (OwnAnswer) -> Void) -> Void
        /// Tells the loops that some credential has changed.
        var announce: @Sendable () -> Void
    }

    let queue = DispatchQueue(label: "sluice.credentials")
    let watcher: FileWatcher
    let logger: Logger
    let surroundings: Surroundings
    let audit = AuditTrail()
    let exchanges = SignInExchanges()
    let credentialsDirectory: String?
    private let usedFolder = Mutex<StateFolder?>(nil)

    init(watcher: FileWatcher, logger: Logger, _ surroundings: Surroundings) {
        self.watcher = watcher
        self.logger = logger
        self.surroundings = surroundings
        credentialsDirectory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    /// Where tokens are kept; nil where the page names no folder and the user has no home.
    var folder: StateFolder? { usedFolder.withLock { $0 } }

    func useFolder(of configuration: Configuration) {
        do throws(StateFault) {
            let folder = try StateFolder(of: configuration)
            usedFolder.withLock { $0 = folder }
        } catch {
            // The old folder stays in use: tokens that are not kept would be lost.
            logger.error("tokens cannot be kept", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: - Time

    var moment: Moment { Moment(now: MonotonicClock.now(), unix: Int(time(nil))) }

    /// Calls `body` on the queue, at a time of the monotonic clock.
    func call(at time: UInt64, _ body: @escaping @Sendable () -> Void) {
        let now = MonotonicClock.now()
        let wait = time > now ? min(time - now, UInt64(Int32.max) * 1_000_000_000) : 0
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait)), execute: body)
    }

    func wait(
        until isDone: @escaping @Sendable () -> Bool, within limit: Duration, _ done: @escaping @Sendable () -> Void
    ) {
        let deadline = MonotonicClock.now() &+ limit.nanosecondsClamped
        @Sendable func look() {
            if isDone() || MonotonicClock.now() >= deadline { return done() }
            queue.asyncAfter(deadline: .now() + .milliseconds(20), execute: look)
        }
        queue.async(execute: look)
    }

    // MARK: - Secrets

    /// The current secret of a source.
    func secret(_ source: TokenSource) throws(TokenFileError) -> String {
        try source.secret(credentialsDirectory: credentialsDirectory)
    }
}
