internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// Puts a content coding on an answer (`compress:`), a slice per turn.
final class AnswerCoder {
    /// Bytes that one turn codes at most for one answer.
    private static let turnBytes = 64 << 10

    private let encoder = ContentEncoder()
    /// What is to be coded still.
    private var waiting = Outbox()
    /// The answer is over once all that waits is coded.
    private var isEnding = false
    /// The client takes no more at present.
    private var isHeld = false
    private(set) var isPostponed = false
    /// The library has failed; the exchange does in the next turn, when nobody stands in the middle of its answer.
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

    /// What became of what had to wait.
    enum Outcome {
        case caughtUp
        /// The coded answer is out to its last byte.
        case ended
        /// This turn has no more room, or the client takes no more.
        case waits
        case broken
    }

    /// A piece of the answer: codes as much of it as this turn may, and keeps a copy of the rest.
    /// - Parameter send: sends what has come out; false where the client takes no more.
    /// - Returns: whether all of it is coded.
    func code(
        _ run: UnsafeRawBufferPointer, in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var rest = run
        if waiting.isEmpty { codeSlice(of: &rest, in: room, send) }
        if rest.isEmpty, !isBroken { return true }
        waiting.append(rest)
        return false
    }

    /// The answer has come to its end.
    /// - Returns: whether all of it is out.
    func end(in room: CodingRoom, _ send: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        isEnding = true
        return waiting.isEmpty && finish(in: room, send)
    }

    /// Goes on with what had to wait.
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

    /// The client takes more again.
    /// - Returns: whether nothing waits.
    func drained() -> Bool {
        isHeld = false
        return waiting.isEmpty && !isEnding
    }

    /// Has the owner go on in the next turn, unless the client takes nothing.
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

    /// Bytes that may be coded yet in this turn.
    private func budget(_ turn: Int) -> Int {
        if turn != self.turn {
            self.turn = turn
            left = Self.turnBytes
        }
        return left
    }
}
