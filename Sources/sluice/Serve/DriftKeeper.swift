internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import Synchronization
internal import Glibc

/// Keeps drift findings over restarts, in the state folder. It reads and writes on a thread of its own: no loop waits
/// for the disk. A crash loses the findings since the last check.
final class DriftKeeper: Sendable {
    /// Interval of the checks for new findings.
    private static let every = DispatchTimeInterval.seconds(60)

    private struct State {
        var writtenRevision = 0
        /// Whether a failure of the disk has been logged.
        var hasFailed = false
    }

    private let file: DriftFile
    private let server: Server
    private let logger: Logger
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sluice.drift")

    /// - Returns: nil where the daemon has no folder of its own: that of a user's home may be another daemon's, too.
    init?(_ configuration: SluiceContract.Configuration, _ server: Server, _ logger: Logger) {
        let given = getenv("STATE_DIRECTORY").map { String(cString: $0) }
        guard let folder = configuration.state ?? given?.split(separator: ":").first.map(String.init) else {
            return nil
        }
        file = DriftFile(folder: folder)
        self.server = server
        self.logger = logger
    }

    /// Restores the stored findings before the first request.
    func begin() {
        do throws(DriftFileFailure) {
            server.restoreDrift(try file.read())
        } catch {
            logger.warning("what was known of drift is lost", metadata: ["reason": "\(error)"])
        }
        state.withLock { $0.writtenRevision = server.driftRevision }
        lookLater()
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + Self.every) { [weak self] in
            self?.keep()
            self?.lookLater()
        }
    }

    /// Waits until all is written.
    func finish() { queue.sync { keep() } }

    // MARK: - On `queue`

    private func keep() {
        let revision = server.driftRevision
        guard state.withLock({ $0.writtenRevision }) != revision else { return }
        do throws(DriftFileFailure) {
            try file.write(server.driftRecords)
            state.withLock { $0 = State(writtenRevision: revision) }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { logger.warning("drift is not kept over restarts", metadata: ["reason": "\(error)"]) }
        }
    }
}
