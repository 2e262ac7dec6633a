/// How many messages of the handshake protocol a peer may still send once the handshake is done: tickets, KeyUpdates
/// (RFC 8446 §4.6), and attempts at another handshake, each of which is refused (RFC 5246 §7.4.1.1).
///
/// Such messages cost the peer little but us keys and an answer, and OpenSSL processes all that arrive within one read.
/// So the peer starts with a fixed number of them, and content in either direction earns more. Nothing is earned while
/// an answer to them is still unsent: a peer that does not take our answers runs out, whatever else it sends.
struct TLSMessageBudget {
    /// As many as BoringSSL takes in a row. Servers send two tickets with a connection, or a handful.
    static let messagesMax = 32
    /// Content that earns one more, beside the one for each read and each write: what a record holds (RFC 8446 §5.1).
    private static let bytesPerMessage = 16 << 10

    private var left = messagesMax
    /// Whether a message came after the budget was spent.
    private(set) var isExceeded = false
    /// Ciphertext made on the connection so far, and where in it the last answer to such a message ends.
    private var madeBytes = 0
    private var answersEnd = 0

    /// The state before a read.
    struct Mark {
        fileprivate let madeBytes: Int
        fileprivate let mayEarn: Bool
    }

    mutating func spend() {
        if left == 0 { isExceeded = true } else { left -= 1 }
    }

    /// Counts ciphertext made, of whatever kind.
    mutating func made(_ count: Int) { madeBytes += count }

    /// - Parameter waiting: ciphertext that is still to be sent.
    func mark(leaving waiting: Int) -> Mark { Mark(madeBytes: madeBytes, mayEarn: mayEarn(leaving: waiting)) }

    /// Ciphertext made during a read is answers; the content read earns further messages.
    mutating func hasRead(_ count: Int, since mark: Mark) {
        if madeBytes != mark.madeBytes { answersEnd = madeBytes }
        if count > 0, mark.mayEarn { earn(count) }
    }

    mutating func hasWritten(_ count: Int, leaving waiting: Int) {
        if mayEarn(leaving: waiting) { earn(count) }
    }

    private func mayEarn(leaving waiting: Int) -> Bool { madeBytes - waiting >= answersEnd }

    private mutating func earn(_ count: Int) {
        left = min(Self.messagesMax, left + 1 + count / Self.bytesPerMessage)
    }
}
