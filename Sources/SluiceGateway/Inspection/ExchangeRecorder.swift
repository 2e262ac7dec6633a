public import SluiceContract
internal import Synchronization

/// Passes on exchanges with upstreams, so that they can be replayed later (`sluice record`). Shared by all loops.
public final class ExchangeRecorder: Sendable {
    /// What became of an exchange.
    public enum Outcome: Sendable {
        case ended(EndedExchange)
        /// The exchange was not recorded.
        case lost(what: String, why: String)
    }

    /// The most bytes of one body.
    public let bodyBytesMax: Int
    let names: RecordingNames
    private let take: @Sendable (Outcome) -> Void
    /// Bytes of the bodies of exchanges in progress, on all loops.
    private let bytes = Atomic(0)

    /// The most exchanges that may be kept while in progress; parts of composed answers are not counted.
    static let openMax = 256
    /// The most bytes of bodies that may be kept for exchanges in progress.
    static let bytesMax = 256 << 20

    /// - Parameter take: called on loops; it must not wait for anything.
    public init(bodyBytesMax: Int, names: RecordingNames = .init(), _ take: @escaping @Sendable (Outcome) -> Void) {
        self.bodyBytesMax = bodyBytesMax
        self.names = names
        self.take = take
    }

    /// How much is kept of an exchange in progress.
    var settings: InspectSettings {
        var settings = InspectSettings()
        settings.last = Self.openMax
        settings.bodyBytes = bodyBytesMax
        return settings
    }

    func lose(_ what: String, _ why: String) { take(.lost(what: what, why: why)) }

    // MARK: - Room

    /// - Returns: whether there is room for so many bytes; if so, the caller has to give them back.
    func hold(_ count: Int) -> Bool {
        if bytes.wrappingAdd(count, ordering: .relaxed).newValue <= Self.bytesMax { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) { bytes.wrappingSubtract(count, ordering: .relaxed) }

    // MARK: - An attempt

    /// An attempt at an upstream has ended.
    /// - Parameters:
    ///   - isWhole: whether the whole answer has arrived.
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
