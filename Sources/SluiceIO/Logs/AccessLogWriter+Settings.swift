public import Logging
public import SluiceContract

extension AccessLogWriter {
    /// The access log that a configuration wants; nil where it wants none.
    /// - Throws: ``OpenFailure``, and what stands in the way of the journal.
    public static func access(_ log: LogSettings, _ logger: Logger) throws -> AccessLogWriter? {
        try log.access.map { try AccessLogWriter($0, shape: AccessShape(log), logger: logger) }
    }

    /// The audit log that a configuration wants; nil where it wants none.
    /// - Throws: ``OpenFailure``.
    public static func audit(_ log: LogSettings, _ logger: Logger) throws -> AccessLogWriter? {
        try log.audit.map { try AccessLogWriter(path: $0, for: .audit, logger: logger) }
    }
}
