internal import Logging
internal import Glibc

/// Whether a stream goes to the journal of systemd, and how its lines say there how important they are (sd-daemon(3)).
public enum JournalStream {
    /// The levels of syslog(3), of which the journal keeps one with each line.
    public enum Level: Int, Sendable {
        case critical = 2
        case error, warning, notice, info, debug

        /// What a line begins with; the journal takes it off.
        public var prefix: String { "<\(rawValue)>" }
    }

    /// Whether `descriptor` is the stream that `$JOURNAL_STREAM` names: a child that inherits the variable may have
    /// been given another stream (systemd.exec(5)).
    public static func isDescriptor(_ descriptor: Int32) -> Bool {
        guard let named = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return String(cString: named) == "\(status.st_dev):\(status.st_ino)"
    }
}

extension JournalStream.Level {
    init(_ level: Logger.Level) {
        self =
            switch level {
            case .trace, .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }
}
