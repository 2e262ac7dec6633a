internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// Puts a content coding on an answer (`compress:`), a slice per turn.
final class AnswerCoder {
    /// Bytes that one turn codes at most for one answer.
    static let turnBytes = 64 << 10

    let encoder = ContentEncoder()
    /// What is to be coded still.
    var waiting = Outbox()
    /// The answer is over once all that waits is coded.
    var isEnding = false
    /// The client takes no more at present.
    var isHeld = false
    var isPostponed = false
    /// The library has failed; the exchange does in the next turn, when nobody stands in the middle of its answer.
    var isBroken = false
    private var turn = -1
    private var left = 0

    func begin(_ coding: ContentCoding) -> Bool {
        waiting.removeAll()
        isEnding = false
        isHeld = false
        isPostponed = false
        isBroken = false
        return encoder.begin(coding)
    }

    /// Bytes that may be coded yet in this turn.
    func budget(_ turn: Int) -> Int {
        if turn != self.turn {
            self.turn = turn
            left = Self.turnBytes
        }
        return left
    }

    func spend(_ count: Int) {
        left -= count
    }
}
