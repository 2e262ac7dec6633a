/// A coding to be put on a body, as a push machine. Stages are used again.
protocol EncoderStage: AnyObject {
    /// Makes ready for another body.
    /// - Returns: whether there is memory for it.
    func restart() -> Bool
    /// Codes as much of `input` as there is room for in `output`.
    /// - Parameter isEnd: nothing follows: what is kept back comes out too.
    /// - Returns: nil where the library fails, which it does without memory only.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isEnd: Bool
    ) -> EncoderStep?
}

/// What one call of a stage did.
struct EncoderStep {
    var consumed: Int
    var produced: Int
    /// All of the input is used up; and, at the end, all of the output has come out.
    var isDone: Bool
}
