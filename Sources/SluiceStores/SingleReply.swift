internal import SluiceCache
internal import Synchronization

/// A reply that is given once: only the first call counts.
final class SingleReply: Sendable {
    private let reply: Mutex<(@Sendable (StoredResponse?) -> Void)?>

    init(_ reply: @escaping @Sendable (StoredResponse?) -> Void) {
        self.reply = Mutex(reply)
    }

    var isGiven: Bool { reply.withLock { $0 == nil } }

    /// - Returns: whether this was the first one.
    @discardableResult
    func give(_ entry: StoredResponse?) -> Bool {
        let reply = self.reply.withLock { reply in
            defer { reply = nil }
            return reply
        }
        reply?(entry)
        return reply != nil
    }
}
