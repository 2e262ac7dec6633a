public import Logging
internal import SluiceContract
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Why a token file cannot be used. Says nothing of what is in it.
public struct TokenFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}

/// A bearer token in a file, re-read whenever the file changes.
///
/// A file that vanishes or spoils takes nothing away: the last good token stays, and a warning says why.
public final class TokenFile: Sendable {
    private let path: String
    private let credentialsDirectory: String?
    private let logger: Logger
    private let deliver: @Sendable (String) -> Void
    private let watcher: FileWatcher
    private let watch = Mutex<FileWatcher.Watch?>(nil)
    private let token = Mutex<String?>(nil)

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

    /// Delivers under the lock, so that a change during the first read cannot be overtaken by what it replaces.
    /// - Returns: whether the token is another one.
    @discardableResult
    private func update() throws(TokenFileError) -> Bool {
        try token.withLock { token throws(TokenFileError) in
            let read = try Self.read(path: path, credentialsDirectory: credentialsDirectory)
            guard read != token else { return false }
            token = read
            deliver(read)
            return true
        }
    }

    /// The token in the file at `path`.
    public static func read(path: String, credentialsDirectory: String?) throws(TokenFileError) -> String {
        func failure(_ reason: String) -> TokenFileError { TokenFileError(path: path, reason: reason) }
        // O_NONBLOCK: a FIFO must not hold us up; it is refused below.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("is not a regular file") }
        guard
            let file = SecretFile(path: path, descriptor: descriptor, credentialsDirectory: credentialsDirectory)
        else { throw failure("has vanished") }
        if case .refused(let objection) = file.verdict {
            throw failure("\(objection.reason); run: \(objection.command) \(path)")
        }
        guard let bytes = contents(of: descriptor) else { throw failure(String(cString: strerror(errno))) }
        do throws(TokenText.Fault) {
            return try TokenText.read(bytes)
        } catch {
            throw failure(error.reason)
        }
    }

    /// Up to one byte more than is allowed; nil where reading failed.
    private static func contents(of descriptor: Int32) -> [UInt8]? {
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: TokenText.bytesMax + 1) { buffer, count in
            while count < buffer.count {
                let result = pread(descriptor, buffer.baseAddress! + count, buffer.count - count, off_t(count))
                if result < 0, errno == EINTR { continue }
                isFailed = result < 0
                guard result > 0 else { return }
                count += result
            }
        }
        return isFailed ? nil : bytes
    }
}
