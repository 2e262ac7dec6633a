public import Logging
public import SluiceContract

/// Where swift-log's messages go: standard error, as text for people or as JSON lines for machines.
///
/// A message is one line of a ``LogOutput``, so that lines of several threads don't mix and nobody waits.
public struct LogBackend: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let output: LogOutput

    public init(label: String, level: LogSettings.Level, output: LogOutput) {
        self.label = label
        self.output = output
        logLevel = Logger.Level(level)
    }

    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var metadata = metadata
        if let provided = metadataProvider?.get() { metadata.merge(provided) { $1 } }
        if let given = event.metadata { metadata.merge(given) { $1 } }
        if let error = event.error { metadata["error"] = "\(error)" }
        output.append(
            LogLine(
                time: Timestamp.now(), level: event.level, label: label, message: event.message.description,
                metadata: metadata))
    }
}

extension Logger.Level {
    /// The level of the same name.
    public init(_ level: LogSettings.Level) {
        self =
            switch level {
            case .trace: .trace
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }
}
