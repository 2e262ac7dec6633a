internal import Logging
internal import SluiceContract
internal import Synchronization

/// What a TLS listener shows at present: read at the start, and again whenever one of its files changes, without a
/// reload and without a word to the connections that are there.
///
/// Files that do not fit together (the certificate is written, its key not yet) change nothing: what was good stays,
/// and a warning says why.
final class ListenerTLS: Sendable {
    private let settings: Listener.ServerTLS
    private let alpn: [String]
    private let logger: Logger
    private let watcher: FileWatcher
    private let watches = Mutex<[FileWatcher.Watch]>([])
    private let context: Mutex<TLSContext>

    /// - Throws: ``TLSError/file(path:reason:)`` for the file that cannot be used.
    init(
        _ settings: Listener.ServerTLS, alpn: [String], watcher: FileWatcher, logger: Logger
    ) throws(TLSError) {
        self.settings = settings
        self.alpn = alpn
        self.watcher = watcher
        self.logger = logger
        context = Mutex(try TLSContext.server(settings, alpn: alpn))
        let watches = settings.files.map { path in watcher.watch(path) { [weak self] in self?.reload(path) } }
        self.watches.withLock { $0 = watches }
        // A change between the first look and the watch would be missed for good.
        let first = try TLSContext.server(settings, alpn: alpn)
        context.withLock { $0 = first }
    }

    deinit {
        for watch in watches.withLock({ $0 }) { watcher.stop(watch) }
    }

    /// For a connection that begins now.
    var current: TLSContext { context.withLock { $0 } }

    private func reload(_ path: String) {
        do throws(TLSError) {
            let fresh = try TLSContext.server(settings, alpn: alpn)
            context.withLock { $0 = fresh }
            logger.info("TLS files re-read", metadata: ["changed": "\(path)"])
        } catch {
            logger.warning(
                "TLS files unusable, the last certificate stays",
                metadata: ["changed": "\(path)", "reason": "\(error)"])
        }
    }
}
