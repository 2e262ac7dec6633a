import Logging
import Synchronization

/// A log that keeps its lines: the message, then what is said of it.
final class Said: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        lines.withLock { $0.append(([event.message.description] + metadata).joined(separator: " ")) }
    }
}
