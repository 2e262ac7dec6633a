/// Decodes one coding of a body, as a push machine: bytes in, bytes out, as many as there is room for.
///
/// Stages are reused: each has a `restart` of its own, which prepares it for another body and keeps the memory.
protocol DecoderStage: AnyObject {
    /// Reads from `input` and writes to `output` until all input is read or the output is full.
    ///
    /// Both may be empty. Output for which there was no room is written by the next call.
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
