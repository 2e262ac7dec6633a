internal import Dispatch
public import Logging
public import SluiceContract
internal import SluiceFiles
internal import Synchronization
internal import Glibc

/// The file of the access log or of the audit log, or the journal in its place. Loops put lines into their own
/// ``AccessLogBuffer``; a queue of its own writes them in batches of 64 KiB or once a second. A full or broken disk
/// costs lines, which are counted, and nothing else; the audit log says itself how many.
public final class AccessLogWriter: Sendable {
    public enum Purpose: String, Sendable {
        case access = "access log"
        /// Readable by its owner only; lost lines are always reported in it.
        case audit = "audit log"
    }

    /// How many lines were written or lost so far.
    public struct Counts: Hashable, Sendable {
        public var written = 0
        /// Lost because the file could not be written, or not fast enough.
        public var dropped = 0
        /// Writes that failed.
        public var failures = 0
    }

    /// A file, or a journal, that cannot be opened.
    public struct OpenFailure: Error, Hashable, Sendable, CustomStringConvertible {
        public let path: String
        public let purpose: Purpose
        let isJournal: Bool
        /// An errno.
        let code: Int32

        public var description: String {
            let key = "'log: \(purpose == .access ? "access" : "audit"):'"
            return switch code {
            case _ where isJournal: "\(path): no journal listens there (\(reason)); name a file in \(key)"
            case ENOENT: "\(path) has no folder to be in; make it, or change \(key)"
            case ENXIO: "\(path) is a pipe that nobody reads, or a socket; start its reader first, or change \(key)"
            case EACCES, EPERM: "\(path) may not be written by this user; see to its permissions, or change \(key)"
            default: "\(path) cannot be opened: \(reason); see \(key)"
            }
        }

        private var reason: String { String(cString: strerror(code)) }
    }

    private struct State {
        var descriptor: Int32
        var counts = Counts()
        /// A write stopped within a line: the next one begins with a line end.
        var isInsideLine = false
        /// The last write failed, and this has been logged.
        var isFailing = false
        /// The file could not be reopened, and this has been logged.
        var isReopeningOwed = false
        /// Lost lines that the audit log does not report yet.
        var untold = 0
    }

    /// Where lines go.
    private enum Target {
        /// Standard output, or a descriptor that was handed over.
        case descriptor
        case file(String)
        case journal(JournalSocket)
    }

    private let purpose: Purpose
    private let target: Target
    /// How the lines of an access log look.
    let shape: AccessShape
    private let logger: Logger
    /// How long to wait for a pipe or terminal that takes no bytes.
    private let patienceMilliseconds: Int32
    /// The queue that opens, writes and closes, one operation at a time.
    let queue = DispatchQueue(label: "sluice.access-log")
    private let state: Mutex<State>

    /// The access log.
    /// - Throws: ``OpenFailure``.
    public convenience init(
        _ place: LogSettings.AccessPlace, shape: AccessShape, logger: Logger
    ) throws(OpenFailure) {
        switch place {
        case .output: try self.init(path: "-", shape: shape, logger: logger)
        case .file(let path): try self.init(path: path, shape: shape, logger: logger)
        case .journal(let path): try self.init(journal: path, shape, logger)
        }
    }

    /// - Parameters:
    ///   - path: a file that is appended to, or `-` for standard output.
    ///   - shape: how the lines of an access log look.
    /// - Throws: ``OpenFailure``.
    public init(
        path: String, for purpose: Purpose = .access, shape: AccessShape = AccessShape(LogSettings()), logger: Logger
    ) throws(OpenFailure) {
        self.purpose = purpose
        self.shape = shape
        target = path == "-" ? .descriptor : .file(path)
        self.logger = logger
        patienceMilliseconds = Self.usualPatience
        let descriptor = path == "-" ? STDOUT_FILENO : Self.openFile(path, purpose)
        guard descriptor >= 0 else { throw OpenFailure(path: path, purpose: purpose, isJournal: false, code: errno) }
        state = Mutex(State(descriptor: descriptor))
    }

    private init(journal path: String, _ shape: AccessShape, _ logger: Logger) throws(OpenFailure) {
        guard let socket = JournalSocket(path: path, patienceMilliseconds: Self.usualPatience) else {
            throw OpenFailure(path: path, purpose: .access, isJournal: true, code: errno)
        }
        purpose = .access
        self.shape = shape
        target = .journal(socket)
        self.logger = logger
        patienceMilliseconds = Self.usualPatience
        state = Mutex(State(descriptor: socket.descriptor))
    }

    /// Writes to `descriptor`, which stays the caller's.
    init(descriptor: Int32, for purpose: Purpose = .access, logger: Logger, patienceMilliseconds: Int32) {
        target = .descriptor
        self.purpose = purpose
        shape = AccessShape(LogSettings())
        self.logger = logger
        self.patienceMilliseconds = patienceMilliseconds
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if case .descriptor = target { return }
        close(descriptor)
    }

    private static let usualPatience: Int32 = 1000

    /// Whether each line is a message of its own; buffers then put its length before it, and no line end behind it.
    var sendsMessages: Bool { if case .journal = target { true } else { false } }

    public var counts: Counts { state.withLock { $0.counts } }

    /// A buffer for one loop.
    public func makeBuffer() -> AccessLogBuffer {
        AccessLogBuffer(writer: self)
    }

    /// Reopens the file after it was renamed (logrotate). If this fails, the old file stays in use, and the next lines
    /// try again.
    public func reopen() {
        guard case .file(let path) = target else { return }
        queue.async { [self] in
            if let code = openAnew(path) {
                let reason = OpenFailure(path: path, purpose: purpose, isJournal: false, code: code)
                logger.warning("\(purpose.rawValue) not reopened", metadata: ["reason": "\(reason)"])
            }
        }
    }

    /// - Returns: the errno where the old file stays.
    private func openAnew(_ path: String) -> Int32? {
        let descriptor = Self.openFile(path, purpose)
        guard descriptor >= 0 else {
            let code = errno
            state.withLock { $0.isReopeningOwed = true }
            return code
        }
        let (old, wasOwed) = state.withLock { state in
            defer { (state.descriptor, state.isInsideLine, state.isReopeningOwed) = (descriptor, false, false) }
            return (state.descriptor, state.isReopeningOwed)
        }
        close(old)
        if wasOwed { logger.notice("\(purpose.rawValue) reopened", metadata: ["path": "\(path)"]) }
        return nil
    }

    /// Writes whole lines. On ``queue`` only, which alone changes the descriptor.
    /// - Parameters:
    ///   - lines: how many lines there are in `bytes`.
    ///   - dropped: how many did not find room before.
    func writeLines(_ bytes: [UInt8], count lines: Int, dropped: Int) {
        if case .journal(let socket) = target {
            let (sent, error) = socket.send(bytes)
            return tell(lost: error == nil ? 0 : lines - sent, of: lines, dropped: dropped, error)
        }
        if case .file(let path) = target, state.withLock({ $0.isReopeningOwed }) { _ = openAnew(path) }
        var (descriptor, isInsideLine, untold) = state.withLock { ($0.descriptor, $0.isInsideLine, $0.untold) }
        if purpose == .audit { untold += dropped }
        let told = untold > 0 ? bytes + AuditLine.losses(untold, at: Timestamp.now()) : bytes
        // In one go with the lines: a pipe that has taken a byte alone may not be ready for more.
        let end = isInsideLine ? 1 : 0
        let (count, error) = writeAll(isInsideLine ? [0x0A] + told : told, to: descriptor)
        let written = max(0, count - end)
        if count > 0 { isInsideLine = written > 0 && told[written - 1] != 0x0A }
        let lost = error == nil ? 0 : bytes[min(written, bytes.count)...].count { $0 == 0x0A }
        state.withLock { state in
            state.isInsideLine = isInsideLine
            if purpose == .audit { state.untold = error == nil ? 0 : untold + lost }
        }
        tell(lost: lost, of: lines, dropped: dropped, error)
    }

    /// Counts lines, and logs when writing begins to fail, or works again.
    private func tell(lost: Int, of lines: Int, dropped: Int, _ error: Int32?) {
        let isNews = state.withLock { state in
            state.counts.written += lines - lost
            state.counts.dropped += lost + dropped
            state.counts.failures += error == nil ? 0 : 1
            defer { state.isFailing = error != nil }
            return state.isFailing != (error != nil)
        }
        guard isNews else { return }
        if let error {
            logger.error(
                "\(purpose.rawValue) not written, lines are lost",
                metadata: ["reason": "\(String(cString: strerror(error)))"])
        } else {
            logger.notice("\(purpose.rawValue) written again", metadata: ["lost": "\(counts.dropped)"])
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, error: Int32?) {
        bytes.withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: patienceMilliseconds)
        }
    }

    private static func openFile(_ path: String, _ purpose: Purpose) -> Int32 {
        let isAudit = purpose == .audit
        // Opening a pipe without a reader would block a start, a reload or the end (fifo(7)); with O_NONBLOCK it is an
        // error, ENXIO.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = open(path, flags, isAudit ? 0o600 : 0o640)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) }
        var facts = stat()
        if descriptor >= 0, isAudit, fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_mode & 0o077 != 0
        {
            _ = fchmod(descriptor, 0o600)
        }
        return descriptor
    }
}
