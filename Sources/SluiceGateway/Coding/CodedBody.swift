internal import SluiceCoding
internal import SluiceContract

/// A body that is decoded while it passes: its decoder, and bytes that have to wait.
///
/// The owner passes on the output, a slice per turn (``CodingRoom``), and says whether it can use more.
final class CodedBody {
    private let decoder = ContentDecoder()
    private(set) var codings = CodingStack()
    /// How many bodies this object has served before.
    private var number = 0
    /// Bytes of output so far.
    private(set) var decodedBytes = 0
    /// Whether input is waiting, because there was no room, or the owner could not use more.
    private(set) var isWaiting = false
    /// Whether the last byte of the body has arrived.
    var isWhole = false
    /// Whether the owner can use no more at present.
    var isHeld = false
    /// Whether the output is useless by now: the rest of the body is read without decoding it.
    private(set) var isSpoilt = false
    /// Whether the body is on the list for the next turn.
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

    /// The result of a slice.
    enum Outcome {
        /// Everything that has arrived is decoded.
        case caughtUp
        /// The rest is kept: this turn has no room left, or the owner can use no more.
        case waits
        /// The owner does not want the rest.
        case over
        case failed(CodingFault)
    }

    /// Decodes as much of an arrived piece as this turn has room for, and keeps a copy of the rest.
    /// - Parameters:
    ///   - takes: whether the owner can use output now.
    ///   - take: passes on output; false where the owner does not want the rest.
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

    /// Continues with the waiting bytes.
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
                // The call may have ended the owner's exchange, and this object may already serve another body.
                if !take(room.claim(progress.produced)) || number != self.number { return .over }
            }
            if progress.isStarved { return .caughtUp }
        }
        return .waits
    }

    /// Lets the owner continue in the next turn.
    func postpone(of owner: any Resumable, in room: CodingRoom) {
        if isPostponed { return }
        isPostponed = true
        room.postpone(.decoding, of: owner)
    }

    // MARK: - The end

    /// Whether no byte of the coded body has been read.
    var isEmpty: Bool { decoder.isEmpty }

    /// The coded body has ended.
    func finish() throws(CodingFault) { try decoder.finish() }

    /// The owner does not want the rest of the output.
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
