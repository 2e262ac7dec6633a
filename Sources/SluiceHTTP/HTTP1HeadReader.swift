/// How far a head of HTTP/1.1 has been read: its first line, whose grammar each side has of its own, then its fields
/// (RFC 9112 §2.1). Ready for the next head once the end of one has been read.
struct HTTP1HeadReader {
    /// Bytes of the first line, once it has been read.
    private var lineCount = 0
    private var section = FieldSection()

    /// The first line is still to be read.
    var awaitsLine: Bool { lineCount == 0 }

    /// Whether a head, of which `progress` bytes are known, is to be read from its first byte: nothing is known of it
    /// yet, or it is another than before, or was reset in between.
    mutating func restarts(_ progress: Int) -> Bool {
        if lineCount > 0, progress == lineCount + section.parsed { return false }
        self = HTTP1HeadReader()
        return true
    }

    /// - Parameter length: with its CRLF.
    mutating func lineRead(_ length: Int) {
        lineCount = length
    }

    /// Goes on with the fields; at their end the bytes of the whole head are in the storage of `fields`.
    /// - Parameters:
    ///   - input: begins with the head.
    ///   - progress: bytes of it that are known.
    mutating func readFields(
        _ input: inout InputBuffer, into fields: inout HeaderBlock, _ progress: inout Int,
        limits: borrowing HTTP1Limits
    ) -> FieldSection.Step {
        let bytes = input.unread
        let step = section.parse(
            bytes.part(lineCount, bytes.count), at: lineCount, into: &fields,
            limits: FieldSection.Limits(bytes: limits.headerBytes, count: limits.headerCount))
        progress = lineCount + section.parsed
        if case .end = step {
            fields.appendBytes(bytes.part(0, progress))
            input.consume(progress)
            self = HTTP1HeadReader()
        }
        return step
    }
}
