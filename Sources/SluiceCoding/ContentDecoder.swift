public import SluiceContract

/// Decodes one body after the other: bytes of the coded body go in, runs of the decoded body come out, the same
/// wherever the input is cut (RFC 9110 §8.4).
///
/// One instance per body being decoded, reusable; explicitly not Sendable. In the steady state it allocates nothing.
public final class ContentDecoder {
    /// What one call did.
    public struct Progress: Equatable {
        /// Bytes of the coded body that were read.
        public var consumed: Int
        /// Bytes of the decoded body that were written.
        public var produced: Int
        /// Whether there is no more output without more input. If false, there may be more, or the call reached its
        /// limit of work.
        public var isStarved: Bool
    }

    /// Size of the buffer between two codings of one body.
    private static let betweenBytes = 16 << 10
    /// How often codings pass bytes to each other in one call, so that a call cannot take for ever on content that
    /// decodes to nothing.
    private static let handOversMax = 64

    private var limits = DecodingLimits(decodedBytes: 0, ratio: 1)
    private var codings = CodingStack()
    private var consumed = 0
    /// The decoders in the order in which they decode: the last coding of the stack first.
    private var slots: [Slot] = []

    public init() {}

    /// Prepares for a body.
    /// - Parameter codings: at least one.
    public func begin(_ codings: CodingStack, limits: DecodingLimits) {
        precondition(!codings.isEmpty, "a body without a coding")
        self.codings = codings
        self.limits = limits
        consumed = 0
        while slots.count < codings.count { slots.append(Slot()) }
        for index in 0..<codings.count { slots[index].begin(codings[codings.count - 1 - index]) }
    }

    /// The body has ended or is not needed any more: frees memory that is too large to be kept for the next one.
    public func rest() {
        for slot in slots { slot.rest() }
    }

    /// Decodes from `input` into `output`, which must not be empty.
    /// - Throws: the fault of the body; after that, only ``begin(_:limits:)`` may follow.
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

    /// Whether no byte of the coded body has been read.
    public var isEmpty: Bool { consumed == 0 }

    /// The coded body has ended.
    /// - Throws: if the body is truncated. A body without any bytes is empty, whatever its coding.
    public func finish() throws(CodingFault) {
        if consumed == 0 { return }
        for index in 0..<codings.count where !slots[index].isAtEnd { throw .truncated }
    }

    /// Fills `output` from stage `place`, which reads the output of the stage before it.
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
                // A decoder that neither reads nor writes would keep the loop running for ever.
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
