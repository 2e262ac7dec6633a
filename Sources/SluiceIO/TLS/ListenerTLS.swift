internal import Logging
internal import SluiceContract
internal import Synchronization

/// The current TLS context of a listener: read at the start, and again whenever one of its files changes, without a
/// reload and without effect on open connections.
///
/// Files that do not match (the certificate is written, its key not yet) change nothing: the last good context stays,
/// and a warning says why.
final class ListenerTLS: Sendable {
    private let settings: Listener.ServerTLS
    private let alpn: [String]
    private let logger: Logger
    private let watcher: FileWatcher
    private let watches = Mutex<[FileWatcher.Watch]>([])
    /// Nil until the first read, which `init` waits for.
    private let context = Mutex<TLSContext?>(nil)

    /// - Throws: ``TLSError/file(path:reason:)`` for the file that cannot be used.
    init(
        _ settings: Listener.ServerTLS, alpn: [String], watcher: FileWatcher, logger: Logger
    ) throws(TLSError) {
        self.settings = settings
        self.alpn = alpn
        self.watcher = watcher
        self.logger = logger
        let watches = settings.files.map { path in watcher.watch(path) { [weak self] in self?.reload(path) } }
        self.watches.withLock { $0 = watches }
        // Watched first and read then, so that no change falls between; where this throws, `deinit` ends the watches.
        try read()
    }

    deinit {
        for watch in watches.withLock({ $0 }) { watcher.stop(watch) }
    }

    /// The context for a new connection.
    var current: TLSContext {
        guard let context = context.withLock({ $0 }) else { preconditionFailure("a listener without its first read") }
        return context
    }

    /// Under the lock, so that a change during the first read cannot be overtaken by the older files.
    private func read() throws(TLSError) {
        try context.withLock { context throws(TLSError) in
            context = try TLSContext.server(settings, alpn: alpn)
        }
    }

    private func reload(_ path: String) {
        do throws(TLSError) {
            try read()
            logger.info("TLS files re-read", metadata: ["changed": "\(path)"])
        } catch {
            logger.warning(
                "TLS files unusable, the last certificate stays",
                metadata: ["changed": "\(path)", "reason": "\(error)"])
        }
    }
}
