public import Logging
public import SluiceContract

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Where swift-log's messages go: standard error, as text for people or as JSON lines for machines.
///
/// A message is one `write`, so lines of several threads don't mix. It may block, like standard error itself: the loops
/// say something only when something is wrong.
public struct LogBackend: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let shape: LogShape
    private let descriptor: Int32

    /// - Parameter descriptor: written to, by default standard error; `auto` in `settings` means text where it is a
    ///   terminal.
    public init(label: String, settings: LogSettings, descriptor: Int32 = 2) {
        self.label = label
        self.descriptor = descriptor
        logLevel = Logger.Level(settings.level)
        shape = LogShape(settings.format, descriptor: descriptor)
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
        let line = LogLine(
            time: Timestamp.now(), level: event.level, label: label, message: event.message.description,
            metadata: metadata)
        let bytes = shape.bytes(of: line)
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let result = write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                // Nobody is left to be told that standard error is gone.
                guard result > 0 || (result < 0 && errno == EINTR) else { return }
                written += max(0, result)
            }
        }
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
