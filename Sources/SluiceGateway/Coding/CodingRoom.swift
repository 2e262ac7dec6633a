internal import SluiceCoding
internal import SluiceContract

/// Where one loop decodes bodies and encodes answers: into one buffer, which is used like the input of a read. Output
/// stays valid until the touched links have been drained, and one turn does no more for a body than one read could
/// bring, so that a body that expands a thousandfold does not delay others.
final class CodingRoom {
    /// As much as one read.
    private static let bytes = 64 << 10
    /// With less room than this, decoding waits for the next turn.
    private static let leastBytes = 1 << 10
    private static let sparesMax = 64
    private static let spareCodersMax = 4

    private var output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private var spare: [CodedBody] = []
    private var spareCoders: [AnswerCoder] = []
    /// Counts how often the buffer was emptied.
    private(set) var turn = 0
    /// Work for the next turn.
    private var postponed: [(work: Work, owner: any Resumable)] = []

    /// The kind of work.
    enum Work {
        /// Decoding a body.
        case decoding
        /// Encoding an answer.
        case coding
        /// Delivering an answer that has arrived, and could not be passed on while its client took nothing.
        case delivery
    }

    deinit { output.deallocate() }

    func take(_ codings: CodingStack, limits: DecodingLimits) -> CodedBody {
        let body = spare.popLast() ?? CodedBody()
        body.begin(codings, limits: limits)
        return body
    }

    func giveBack(_ body: CodedBody) {
        body.rest()
        if spare.count < Self.sparesMax { spare.append(body) }
    }

    /// - Returns: nil where there is no memory.
    func takeCoder(_ coding: ContentCoding) -> AnswerCoder? {
        let coder = spareCoders.popLast() ?? AnswerCoder()
        return coder.begin(coding) ? coder : nil
    }

    /// Few are kept: each may own a megabyte or two.
    func giveBack(_ coder: AnswerCoder) {
        if spareCoders.count < Self.spareCodersMax { spareCoders.append(coder) }
    }

    /// Room for output; nil where this turn has used it up.
    func room() -> UnsafeMutableRawBufferPointer? {
        if output.baseAddress == nil { output = .allocate(byteCount: Self.bytes, alignment: 64) }
        if output.count - used < Self.leastBytes { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: output[used...])
    }

    /// Takes the first `count` bytes of the room, which have been written.
    func claim(_ count: Int) -> UnsafeRawBufferPointer {
        let run = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[used..<used + count])
        used += count
        return run
    }

    /// Empties the buffer: the touched links have been drained, so that nothing borrows from it.
    @inline(__always)
    func settle() {
        used = 0
        turn &+= 1
    }

    func postpone(_ work: Work, of owner: any Resumable) {
        postponed.append((work, owner))
    }

    var hasPostponed: Bool { !postponed.isEmpty }

    /// Takes the postponed work; what is postponed from now on is for the turn after.
    private func takePostponed() -> [(work: Work, owner: any Resumable)] {
        defer { postponed = [] }
        return postponed
    }

    /// Continues all postponed work, one slice each.
    /// - Parameter carryOut: drains the touched links.
    func resumePostponed(_ carryOut: () -> Void) {
        for (work, owner) in takePostponed() {
            settle()
            owner.resume(work, carryOut)
        }
        settle()
    }
}

/// An object with work that continues in the next turn.
protocol Resumable: AnyObject {
    /// Does one slice of the work.
    /// - Parameter carryOut: drains the touched links; output stays valid until then.
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void)
}
