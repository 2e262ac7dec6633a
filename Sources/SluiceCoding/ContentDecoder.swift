public import SluiceContract

/// Decodes one body after the other: bytes of the coded body in, runs of the decoded one out, the same wherever the
/// input is cut (RFC 9110 §8.4).
///
/// One instance per body at work, reusable; explicitly not Sendable. In the steady state it allocates nothing.
public final class ContentDecoder {
    /// What one call did.
    public struct Progress: Equatable {
        /// Bytes of the coded body that were used up.
        public var consumed: Int
        /// Bytes of the decoded body that were written.
        public var produced: Int
        /// Nothing more comes out unless more goes in. Else there may be more, or the work of one call was enough.
        public var isStarved: Bool
    }

    /// Between two codings of one body.
    private static let betweenBytes = 16 << 10
    /// How often codings hand on to each other in one call: what expands and comes to nothing must not take for ever.
    private static let handOversMax = 64

    private var limits = DecodingLimits(decodedBytes: 0, ratio: 1)
    private var codings = CodingStack()
    private var consumed = 0
    /// In the order in which they decode: the last coding of the stack first.
    private var slots: [Slot] = []

    public init() {}

    /// Makes ready for a body.
    /// - Parameter codings: at least one.
    public func begin(_ codings: CodingStack, limits: DecodingLimits) {
        precondition(!codings.isEmpty, "a body without a coding")
        self.codings = codings
        self.limits = limits
        consumed = 0
        while slots.count < codings.count { slots.append(Slot()) }
        for index in 0..<codings.count { slots[index].begin(codings[codings.count - 1 - index]) }
    }

    /// The body is over, or nobody wants it: gives up what is too large to be kept for the next.
    public func rest() {
        for slot in slots { slot.rest() }
    }

    /// Decodes from `input` into `output`, which has room for some bytes.
    /// - Throws: what is wrong with the body; after that, only ``begin(_:limits:)`` may follow.
    public func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Progress {
        precondition(output.count > 0, "no room to decode into")
        var rest = input
        var handOvers = 0
        let last = codings.count - 1
        let produced = try decode(last, &rest, into: output, &handOvers)
        let isStarved = produced < output.count && rest.isEmpty && handOvers < Self.handOversMax
        return Progress(consumed: input.count - rest.count, produced: produced, isStarved: isStarved)
    }

    /// The coded body has ended.
    /// - Throws: where it ought not to have. A body of no bytes at all is empty, whatever its coding.
    public func finish() throws(CodingFault) {
        if consumed == 0 { return }
        for index in 0..<codings.count where !slots[index].isAtEnd { throw .truncated }
    }

    /// Fills `output` from stage `place`, which is fed by the one before it.
    private func decode(
        _ place: Int, _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        _ handOvers: inout Int
    ) throws(CodingFault) -> Int {
        let slot = slots[place]
        var produced = 0
        while produced < output.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: output[produced...])
            let source = place == 0 ? input : slot.waiting
            let step = try slot.step(source, into: room)
            if place == 0 {
                input = UnsafeRawBufferPointer(rebasing: input[step.consumed...])
                consumed += step.consumed
            } else {
                slot.consume(step.consumed)
            }
            produced += step.produced
            if step.produced > 0 { try limits.check(produced: slot.produced, consumed: consumed) }
            if step.produced == room.count { break }
            if step.consumed < source.count {
                // A decoder that neither reads nor writes would keep the loop for ever.
                if step == DecoderStep() { throw .malformed }
                continue
            }
            if place == 0 || handOvers == Self.handOversMax { break }
            handOvers += 1
            let filled = try decode(place - 1, &input, into: slot.room(Self.betweenBytes), &handOvers)
            slot.filled(filled)
            if filled == 0 { break }
        }
        return produced
    }
}
