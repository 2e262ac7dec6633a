internal import SluiceGateway
public import SluiceContract

/// How lines of the access log look.
public struct AccessShape: Hashable, Sendable {
    let format: LogSettings.AccessFormat
    /// How much of a query the lines show.
    let query: LogSettings.Query
    /// Whether lines are journal entries, with a field for everything.
    let isJournal: Bool

    public init(_ settings: LogSettings) {
        format = settings.accessFormat
        query = settings.query
        isJournal = if case .journal? = settings.access { true } else { false }
    }

    /// Appends the line, without its end.
    /// - Parameter time: milliseconds since 1970 when the exchange ended.
    func append(_ entry: borrowing AccessEntry, at time: Int64, to line: inout [UInt8]) {
        if isJournal { return JournalEntry.append(entry, at: time, self, to: &line) }
        switch format {
        case .json: AccessLine.append(entry, at: time, query: query, to: &line)
        case .combined: CombinedLine.append(entry, at: time, query: query, to: &line)
        }
    }
}
