internal import SluiceCoding
internal import SluiceContract

/// A body in some content coding on its way through: its decoder, and what of it had to wait.
///
/// Its owner hands on what comes out, a slice per turn (``CodingRoom``), and says whether more can be used.
final class CodedBody {
    private let decoder = ContentDecoder()
    private(set) var codings = CodingStack()
    /// How many bodies this one has served before.
    private var number = 0
    /// Bytes that have come out.
    private(set) var decodedBytes = 0
    /// The decoder has not come to the end of what has arrived: there was no room, or nobody took more.
    private(set) var isWaiting = false
    /// Its last byte has arrived.
    var isWhole = false
    /// Nobody takes more at present.
    var isHeld = false
    /// What comes out of it is of no use any more: it goes to the end undecoded.
    private(set) var isSpoilt = false
    /// It is on the list of those that go on in the next turn.
    private(set) var isPostponed = false
    private var kept = ByteScratch()
    private var position = 0

    func begin(_ codings: CodingStack, limits: DecodingLimits) {
        self.codings = codings
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
        number += 1
        kept.removeAll()
        decoder.rest()
    }

    // MARK: - A slice

    /// What became of a slice.
    enum Outcome {
        /// All that has arrived has come out.
        case caughtUp
        /// The rest is kept: this turn has no more room, or nobody takes more.
        case waits
        /// Nobody wants the rest.
        case over
        case failed(CodingFault)
    }

    /// A piece has arrived: decodes as much of it as this turn has room for, and keeps a copy of the rest.
    /// - Parameters:
    ///   - takes: whether what comes out can be used now.
    ///   - take: hands on what has come out; false where nobody wants the rest.
    func arrived(
        _ bytes: UnsafeRawBufferPointer, in room: CodingRoom, while takes: () -> Bool,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        var rest = bytes
        let outcome = isWaiting ? .waits : decode(&rest, in: room, while: takes, take)
        if case .waits = outcome {
            isWaiting = true
            kept.append(rest)
        }
        return outcome
    }

    /// Goes on with what had to wait.
    func resume(
        in room: CodingRoom, while takes: () -> Bool, _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        isPostponed = false
        var rest = kept.bytes(position..<kept.count)
        let before = rest.count
        let outcome = decode(&rest, in: room, while: takes, take)
        switch outcome {
        case .caughtUp: dropWaiting()
        case .waits: position += before - rest.count
        case .over, .failed: break
        }
        return outcome
    }

    private func decode(
        _ rest: inout UnsafeRawBufferPointer, in room: CodingRoom, while takes: () -> Bool,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        let number = number
        while takes(), let output = room.room() {
            let progress: ContentDecoder.Progress
            do throws(CodingFault) {
                progress = try decoder.decode(rest, into: output)
            } catch {
                return .failed(error)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            if progress.produced > 0 {
                decodedBytes += progress.produced
                // The owner may have ended under the call, and this one may serve another already.
                if !take(room.claim(progress.produced)) || number != self.number { return .over }
            }
            if progress.isStarved { return .caughtUp }
        }
        return .waits
    }

    /// Has the owner go on in the next turn.
    func postpone(of owner: any Resumable, in room: CodingRoom) {
        if isPostponed { return }
        isPostponed = true
        room.postpone(.decoding, of: owner)
    }

    // MARK: - The end

    /// The coded body has ended.
    func finish() throws(CodingFault) { try decoder.finish() }

    /// Nobody wants what is still to come out.
    func spoil() {
        isSpoilt = true
        dropWaiting()
    }

    private func dropWaiting() {
        isWaiting = false
        kept.removeAll()
        position = 0
    }
}
