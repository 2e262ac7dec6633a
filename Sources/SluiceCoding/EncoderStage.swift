/// Encodes a body, as a push machine. Stages are reused.
protocol EncoderStage: AnyObject {
    /// Prepares for another body.
    /// - Returns: false if there is not enough memory.
    func restart() -> Bool
    /// Encodes as much of `input` as there is room for in `output`.
    /// - Parameter isEnd: whether nothing follows, so that buffered output is written, too.
    /// - Returns: nil if the library fails, which it does only for lack of memory.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> EncoderStep?
}

/// What one call of a stage did.
struct EncoderStep {
    var consumed: Int
    var produced: Int
    /// Whether all of the input was read and, at the end, all of the output was written.
    var isDone: Bool
}
