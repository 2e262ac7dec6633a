internal import SluiceCoding
internal import SluiceContract

/// A body in some content coding on its way through: its decoder, and what of it had to wait.
final class CodedBody {
    let decoder = ContentDecoder()
    private(set) var codings = CodingStack()
    /// Which body it is of those that this one has served.
    private(set) var number = 0
    /// Bytes that have come out.
    var decodedBytes = 0
    /// The decoder has not come to the end of what has arrived: there was no room, or nobody took more.
    private(set) var isWaiting = false
    /// Its last byte has arrived.
    var isWhole = false
    /// Nobody takes more at present.
    var isHeld = false
    /// What comes out of it is of no use any more: it goes to the end undecoded.
    var isSpoilt = false
    /// It is on the list of those that go on in the next turn.
    var isPostponed = false
    private var kept = ByteScratch()
    private var position = 0

    func begin(_ codings: CodingStack, limits: DecodingLimits) {
        self.codings = codings
        number += 1
        decodedBytes = 0
        isWaiting = false
        isWhole = false
        isHeld = false
        isSpoilt = false
        isPostponed = false
        kept.removeAll()
        position = 0
        decoder.begin(codings, limits: limits)
    }

    func rest() {
        kept.removeAll()
        decoder.rest()
    }

    /// What waits, oldest first.
    var waiting: UnsafeRawBufferPointer { kept.bytes(position..<kept.count) }

    /// Keeps a copy of what could not be decoded now.
    func keep(_ bytes: UnsafeRawBufferPointer) {
        isWaiting = true
        kept.append(bytes)
    }

    /// The first `count` bytes of ``waiting`` have been decoded.
    func consume(_ count: Int) {
        position += count
    }

    /// All that has arrived is decoded.
    func caughtUp() {
        isWaiting = false
        kept.removeAll()
        position = 0
    }
}
