public import Logging
public import SluiceFiles
internal import SluiceSigning
internal import Synchronization

/// A bearer token in a file, re-read whenever the file changes.
///
/// If the file vanishes or becomes invalid, the last good token stays, and a warning says why.
public final class TokenFile: Sendable {
    private let path: String
    private let credentialsDirectory: String?
    private let logger: Logger
    private let deliver: @Sendable (String) -> Void
    private let watcher: FileWatcher
    private let watch = Mutex<FileWatcher.Watch?>(nil)
    private let token = Mutex<SecretText?>(nil)

    /// Reads the file and watches it from then on.
    /// - Parameters:
    ///   - credentialsDirectory: `$CREDENTIALS_DIRECTORY`, below which permissions are the service manager's affair.
    ///   - deliver: gets the token, at once and then whenever it is another one; on the watcher's queue.
    /// - Throws: ``TokenFileError`` where there is no usable token to begin with.
    public init(
        path: String, credentialsDirectory: String?, watcher: FileWatcher, logger: Logger,
        deliver: @escaping @Sendable (String) -> Void
    ) throws(TokenFileError) {
        self.path = path
        self.credentialsDirectory = credentialsDirectory
        self.logger = logger
        self.deliver = deliver
        self.watcher = watcher
        let watch = watcher.watch(path) { [weak self] in self?.reload() }
        self.watch.withLock { $0 = watch }
        // Where this throws, `deinit` ends the watch.
        try update()
    }

    deinit {
        if let watch = watch.withLock({ $0 }) { watcher.stop(watch) }
    }

    private func reload() {
        do throws(TokenFileError) {
            if try update() { logger.info("token file re-read", metadata: ["path": "\(path)"]) }
        } catch {
            logger.warning(
                "token file unusable, the last token stays", metadata: ["path": "\(path)", "reason": "\(error.reason)"])
        }
    }

    /// Delivers under the lock, so that a change during the first read cannot be overtaken by the older token.
    /// - Returns: whether the token is another one.
    @discardableResult
    private func update() throws(TokenFileError) -> Bool {
        try token.withLock { token throws(TokenFileError) in
            let read = try TokenReader.read(path: path, credentialsDirectory: credentialsDirectory)
            let kept = SecretText(read)
            guard kept != token else { return false }
            token = kept
            deliver(read)
            return true
        }
    }
}
