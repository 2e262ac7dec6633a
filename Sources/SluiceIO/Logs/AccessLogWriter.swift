internal import Dispatch
public import Logging
public import SluiceContract
internal import SluiceFiles
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The access log's file. Loops put lines into their own ``AccessLogBuffer``; a queue of its own writes them in batches
/// of 64 KiB or once a second. A full or broken disk costs lines, which are counted, and nothing else.
public final class AccessLogWriter: Sendable {
    /// What became of the lines so far.
    public struct Counts: Hashable, Sendable {
        public var written = 0
        /// Lost because the file could not be written, or not fast enough.
        public var dropped = 0
        /// Writes that failed.
        public var failures = 0
    }

    /// A file that cannot be opened.
    public struct OpenFailure: Error, Hashable, Sendable, CustomStringConvertible {
        public let path: String
        public let reason: String

        public var description: String { "\(path): \(reason)" }
    }

    private struct State {
        var descriptor: Int32
        var counts = Counts()
        /// A write stopped within a line: the next one begins with a line end.
        var isInsideLine = false
        /// The last write failed, and that has been said.
        var isFailing = false
    }

    /// Nil for standard output.
    private let path: String?
    /// How much of a query the lines tell.
    let query: LogSettings.Query
    private let logger: Logger
    /// How long a pipe or terminal that takes nothing is waited for.
    private let patienceMilliseconds: Int32
    /// What opens, writes and closes, one after the other.
    let queue = DispatchQueue(label: "sluice.access-log")
    private let state: Mutex<State>

    /// - Parameters:
    ///   - path: a file that is appended to, or `-` for standard output.
    ///   - query: how much of a query the lines tell.
    /// - Throws: ``OpenFailure``.
    public init(path: String, query: LogSettings.Query = .masked, logger: Logger) throws(OpenFailure) {
        self.query = query
        self.path = path == "-" ? nil : path
        self.logger = logger
        patienceMilliseconds = 1000
        let descriptor = path == "-" ? STDOUT_FILENO : Self.openFile(path)
        guard descriptor >= 0 else { throw OpenFailure(path: path, reason: String(cString: strerror(errno))) }
        state = Mutex(State(descriptor: descriptor))
    }

    /// Writes to `descriptor`, which stays the caller's.
    init(descriptor: Int32, logger: Logger, patienceMilliseconds: Int32) {
        path = nil
        query = .masked
        self.logger = logger
        self.patienceMilliseconds = patienceMilliseconds
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if path != nil { close(descriptor) }
    }

    public var counts: Counts { state.withLock { $0.counts } }

    /// A buffer for one loop.
    public func makeBuffer() -> AccessLogBuffer {
        AccessLogBuffer(writer: self)
    }

    /// Opens the file anew, after somebody renamed it (logrotate). Where that fails the old one stays.
    public func reopen() {
        guard let path else { return }
        queue.async { [self] in
            let descriptor = Self.openFile(path)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                logger.warning("access log not reopened", metadata: ["path": "\(path)", "reason": "\(reason)"])
                return
            }
            let old = state.withLock { state in
                defer { state.descriptor = descriptor }
                state.isInsideLine = false
                return state.descriptor
            }
            close(old)
        }
    }

    /// Writes whole lines. On ``queue`` only, which alone changes the descriptor.
    /// - Parameters:
    ///   - lines: how many lines there are in `bytes`.
    ///   - dropped: how many did not find room before.
    func writeLines(_ bytes: [UInt8], count lines: Int, dropped: Int) {
        var (descriptor, isInsideLine) = state.withLock { ($0.descriptor, $0.isInsideLine) }
        // In one go with the lines: a pipe that has taken a byte alone may not be ready for more.
        let end = isInsideLine ? 1 : 0
        let (count, error) = writeAll(isInsideLine ? [0x0A] + bytes : bytes, to: descriptor)
        let written = max(0, count - end)
        if count > 0 { isInsideLine = written > 0 && bytes[written - 1] != 0x0A }
        let lost = error == nil ? 0 : bytes[written...].count { $0 == 0x0A }
        let isNews = state.withLock { state in
            state.counts.written += lines - lost
            state.counts.dropped += lost + dropped
            state.counts.failures += error == nil ? 0 : 1
            state.isInsideLine = isInsideLine
            defer { state.isFailing = error != nil }
            return state.isFailing != (error != nil)
        }
        guard isNews else { return }
        if let error {
            logger.error(
                "access log not written, lines are lost", metadata: ["reason": "\(String(cString: strerror(error)))"])
        } else {
            logger.notice("access log written again", metadata: ["lost": "\(counts.dropped)"])
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, error: Int32?) {
        bytes.withUnsafeBytes {
            DescriptorWrite.all($0, to: descriptor, patienceMilliseconds: patienceMilliseconds)
        }
    }

    private static func openFile(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o640)
    }
}
