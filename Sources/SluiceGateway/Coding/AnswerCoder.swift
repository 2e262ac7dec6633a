internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// Applies a content coding to an answer (`compress:`), a slice per turn.
final class AnswerCoder {
    /// The most bytes of one answer that are encoded in one turn.
    private static let turnBytes = 64 << 10

    private let encoder = ContentEncoder()
    /// Bytes that are still to be encoded.
    private var waiting = Outbox()
    /// Whether the answer ends once the waiting bytes are encoded.
    private var isEnding = false
    /// Whether the client takes no more at present.
    private var isHeld = false
    private(set) var isPostponed = false
    /// The library has failed. The exchange fails in the next turn, when no call is in the middle of its answer.
    private var isBroken = false
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

    var waitingBytes: Int { waiting.count }

    // MARK: - A slice

    /// The result of a slice.
    enum Outcome {
        case caughtUp
        /// The encoded answer has been sent completely.
        case ended
        /// This turn has no room left, or the client takes no more.
        case waits
        case broken
    }

    /// Encodes as much of a piece of the answer as this turn allows, and keeps a copy of the rest.
    /// - Parameter send: sends the output; false where the client takes no more.
    /// - Returns: whether the whole piece was encoded.
    func code(
        _ run: UnsafeRawBufferPointer, in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var rest = run
        if waiting.isEmpty { codeSlice(of: &rest, in: room, send) }
        if rest.isEmpty, !isBroken { return true }
        waiting.append(rest)
        return false
    }

    /// Called at the end of the answer.
    /// - Returns: whether the encoded answer has been sent completely.
    func end(in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        isEnding = true
        return waiting.isEmpty && finish(in: room, send)
    }

    /// Continues with the waiting bytes.
    func resume(in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        isPostponed = false
        if isBroken { return .broken }
        while !waiting.isEmpty {
            let run = waiting.firstRun
            var rest = run
            codeSlice(of: &rest, in: room, send)
            waiting.consume(run.count - rest.count)
            if !rest.isEmpty { return .waits }
        }
        guard isEnding else { return .caughtUp }
        return finish(in: room, send) ? .ended : .waits
    }

    /// The client takes data again.
    /// - Returns: whether nothing is waiting.
    func drained() -> Bool {
        isHeld = false
        return waiting.isEmpty && !isEnding
    }

    /// Lets the owner continue in the next turn, unless the client takes no more.
    func postpone(of owner: any Resumable, in room: CodingRoom) {
        if isHeld || isPostponed { return }
        isPostponed = true
        room.postpone(.coding, of: owner)
    }

    // MARK: - The library

    private func codeSlice(
        of rest: inout UnsafeRawBufferPointer, in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool
    ) {
        while !rest.isEmpty, !isHeld, !isBroken, let output = room.room() {
            let budget = budget(room.turn)
            if budget <= 0 { return }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(budget))
            guard let progress = encoder.encode(part, into: output, isEnd: false) else {
                isBroken = true
                return
            }
            left -= progress.consumed
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            handOn(progress.produced, of: room, send)
        }
    }

    private func finish(in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        while !isHeld, !isBroken, let output = room.room() {
            guard let progress = encoder.encode(.empty, into: output, isEnd: true) else {
                isBroken = true
                return false
            }
            handOn(progress.produced, of: room, send)
            if progress.isDone { return true }
        }
        return false
    }

    private func handOn(_ count: Int, of room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool) {
        if count > 0, !send(room.claim(count)) { isHeld = true }
    }

    /// How many bytes may still be encoded in this turn.
    private func budget(_ turn: Int) -> Int {
        if turn != self.turn {
            self.turn = turn
            left = Self.turnBytes
        }
        return left
    }
}
