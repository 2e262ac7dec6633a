/// How far an HTTP/1.1 head has been read: the first line, whose grammar differs between request and response, then the
/// fields (RFC 9112 §2.1). Ready for the next head once the end of the current one has been read.
struct HTTP1HeadReader {
    /// Bytes of the first line, once it has been read.
    private var lineCount = 0
    private var section = FieldSection()

    /// The first line is still to be read.
    var awaitsLine: Bool { lineCount == 0 }

    /// Whether reading has to start at the head's first byte. That is so where nothing has been read yet, or where
    /// `progress`, the number of bytes parsed into the caller's head, differs from this reader's: the head is then a
    /// different one, or was reset in between.
    mutating func restarts(_ progress: Int) -> Bool {
        if lineCount > 0, progress == lineCount + section.parsed { return false }
        self = HTTP1HeadReader()
        return true
    }

    /// - Parameter length: bytes of the first line, including its CRLF.
    mutating func lineRead(_ length: Int) {
        lineCount = length
    }

    /// Continues with the fields; once they have ended, the bytes of the whole head are in the storage of `fields`.
    /// - Parameters:
    ///   - input: begins with the first byte of the head.
    ///   - progress: bytes of the head that have been parsed.
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
