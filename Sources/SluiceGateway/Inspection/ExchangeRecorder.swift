public import SluiceContract
internal import Synchronization

/// Keeps exchanges with upstreams, to be answered with another time (`sluice record`). Shared by all loops.
public final class ExchangeRecorder: Sendable {
    /// What came of an exchange.
    public enum Outcome: Sendable {
        case ended(EndedExchange)
        /// It was not recorded.
        case lost(what: String, why: String)
    }

    /// Bytes of one body.
    public let bodyBytesMax: Int
    let names: RecordingNames
    private let take: @Sendable (Outcome) -> Void
    /// Bytes of bodies of what is under way, on all loops.
    private let bytes = Atomic(0)

    /// Exchanges that are under way at the same time, of which something is kept; parts of composed answers are not
    /// counted.
    static let openMax = 256
    /// Bytes of all bodies that are under way at the same time.
    static let bytesMax = 256 << 20

    /// - Parameter take: called on loops; it must not wait for anything.
    public init(bodyBytesMax: Int, names: RecordingNames = .init(), _ take: @escaping @Sendable (Outcome) -> Void) {
        self.bodyBytesMax = bodyBytesMax
        self.names = names
        self.take = take
    }

    /// What is kept of an exchange while it goes on.
    var settings: InspectSettings {
        var settings = InspectSettings()
        settings.last = Self.openMax
        settings.bodyBytes = bodyBytesMax
        return settings
    }

    func lose(_ what: String, _ why: String) { take(.lost(what: what, why: why)) }

    // MARK: - Room

    /// - Returns: whether there is room for so many bytes; they have to be given back then.
    func hold(_ count: Int) -> Bool {
        if bytes.wrappingAdd(count, ordering: .relaxed).newValue <= Self.bytesMax { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) { bytes.wrappingSubtract(count, ordering: .relaxed) }

    // MARK: - An attempt

    /// An attempt at an upstream is over.
    /// - Parameters:
    ///   - isWhole: its answer has arrived to the end.
    ///   - now: milliseconds since 1970.
    func ended(
        _ attempt: AttemptRecord, _ kept: ExchangeContents.Attempt, _ mask: CredentialMask, isWhole: Bool,
        binding: String?, at now: Int64
    ) {
        let ended = EndedExchange(attempt, kept, mask, binding: binding, at: now, names)
        guard isWhole, attempt.status >= 200 else {
            return lose(ended.name, "there was no whole answer: \(attempt.end?.rawValue ?? "it was not waited for")")
        }
        for (message, name) in [(kept.request, "request"), (kept.answer, "answer")] where message.isCut {
            return lose(ended.name, why(message, name))
        }
        take(.ended(ended))
    }

    private func why(_ message: MessageContents, _ name: String) -> String {
        if message.isCoded, message.body.isEmpty { return "its \(name) is in a content coding" }
        if message.lacksRoom { return "bodies of more than \(Self.bytesMax >> 20) MiB are under way" }
        return "its \(name) has \(message.size) bytes, and \(bodyBytesMax) are kept (--body-max)"
    }
}
