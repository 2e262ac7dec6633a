import SluiceJSON

/// The results of the start and of each reload, newest first; bounded in entries, changes and texts.
public struct ReloadHistory: Sendable {
    /// What caused the reload.
    public enum Cause: String, Sendable {
        case start
        /// SIGHUP.
        case signal
        /// The admin socket.
        case request
    }

    static let entriesMax = 50
    /// The most changes of one reload.
    static let changesMax = 200
    static let faultsMax = 50
    /// The most characters of one text.
    static let textMax = 300

    private struct Entry {
        var time: Int
        var cause: Cause
        var isAccepted: Bool
        var changes: [ConfigurationChange]
        /// How many changes are not kept.
        var more: Int
        var faults: [String]
    }

    private var entries: [Entry] = []

    private let file: String?

    /// - Parameter file: the configuration file that is read at the start and at each reload.
    public init(of file: String? = nil) {
        self.file = file
    }

    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - changes: what changed, if the new configuration is in force.
    ///   - faults: why the old configuration stays in force; empty if the new one is.
    public mutating func note(
        at time: Int, _ cause: Cause, changes: [ConfigurationChange] = [], faults: [String] = []
    ) {
        let kept = changes.prefix(Self.changesMax).map {
            ConfigurationChange(
                key: Self.cut($0.key), before: $0.before.map(Self.cut), after: $0.after.map(Self.cut))
        }
        entries.insert(
            Entry(
                time: time, cause: cause, isAccepted: faults.isEmpty, changes: kept, more: changes.count - kept.count,
                faults: faults.prefix(Self.faultsMax).map(Self.cut)), at: 0)
        if entries.count > Self.entriesMax { entries.removeLast() }
    }

    public var bytes: [UInt8] {
        let list = entries.map { entry in
            JSONValue.object([
                ("at", .number(entry.time)), ("accepted", .bool(entry.isAccepted)),
                ("cause", .string(entry.cause.rawValue)), ("changes", .array(entry.changes.map(\.json))),
                ("more", .number(entry.more)), ("faults", .array(entry.faults.map { .string($0) })),
            ])
        }
        let place = file.map { [("file", JSONValue.string($0))] } ?? []
        return Array((JSONValue.object(place + [("reloads", .array(list))]).text + "\n").utf8)
    }

    private static func cut(_ text: String) -> String {
        text.count > textMax ? String(text.prefix(textMax)) + "…" : text
    }
}
