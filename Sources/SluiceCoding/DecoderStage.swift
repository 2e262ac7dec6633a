/// One coding of a body, as a push machine: bytes in, bytes out, as many of both as there is room for.
///
/// Stages are used again: `restart()` makes ready for another body and keeps the memory.
protocol DecoderStage: AnyObject {
    /// Reads from `input` and writes to `output` until the one is used up or the other full.
    ///
    /// Both may be empty. What is inside still and found no room comes out of the next call.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> DecoderStep
    /// Whether the content may end here.
    var isAtEnd: Bool { get }
}

/// What one call of a stage did.
struct DecoderStep: Equatable {
    var consumed = 0
    var produced = 0
}
