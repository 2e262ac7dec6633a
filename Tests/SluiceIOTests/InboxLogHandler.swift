import Logging

/// A log whose messages are waited for one by one.
struct InboxLogHandler: LogHandler {
    let inbox: Inbox<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { inbox.put("\(event.message)") }
}
