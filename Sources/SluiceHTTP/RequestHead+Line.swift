internal import SluiceContract

// The request line (RFC 9112 §3): three words, single spaces, CRLF.
extension RequestHead {
    enum LineStep {
        case needMore
        /// The line has been read; `length` includes its CRLF.
        case line(length: Int)
        case refused(Refusal)
    }

    /// No known method is longer; longer tokens are answered with 501 (RFC 9112 §3).
    private static var methodBytesMax: Int { 32 }

    /// Reads the request line from `bytes`, which begin with it.
    mutating func parseLine(_ bytes: UnsafeRawBufferPointer, limit: Int) -> LineStep {
        let window = min(bytes.count, limit)
        guard let base = bytes.baseAddress else { return .needMore }
        do throws(Refusal) {
            guard let length = try parseLine(base, window) else {
                if bytes.count < limit { return .needMore }
                throw Scan.token(base, window) < window
                    ? Refusal(.uriTooLong, "The line is longer than the limit allows (request-line; RFC 9112 §3).")
                    : Refusal(.unknownMethod, "The method is longer than any known (RFC 9112 §3).")
            }
            return .line(length: length)
        } catch {
            return .refused(error)
        }
    }

    /// nil where the line does not end within `count` bytes.
    private mutating func parseLine(_ line: UnsafeRawPointer, _ count: Int) throws(Refusal) -> Int? {
        let methodCount = Scan.token(line, count)
        if methodCount == count { return nil }
        guard methodCount > 0, line.load(fromByteOffset: methodCount, as: UInt8.self) == .space else {
            throw Refusal(.badRequest, "The request line does not begin with a method and one space (RFC 9112 §3).")
        }
        guard methodCount <= Self.methodBytesMax else {
            throw Refusal(.unknownMethod, "The method is longer than any known (RFC 9112 §3).")
        }
        let start = methodCount + 1
        let targetEnd = start + Scan.run(of: .target, line + start, count - start)
        if targetEnd == count { return nil }
        guard targetEnd > start, line.load(fromByteOffset: targetEnd, as: UInt8.self) == .space else {
            throw Refusal(
                .badRequest,
                targetEnd == start
                    ? "The request line has no target after one space (RFC 9112 §3)."
                    : "The request target holds a character that must be percent-encoded (RFC 9112 §3.2).")
        }
        guard let length = try parseVersion(line, from: targetEnd + 1, count) else { return nil }
        method = Method(UnsafeRawBufferPointer(start: line, count: methodCount))
        methodRange = ByteRange(0, methodCount)
        targetRange = ByteRange(start, targetEnd - start)
        try readTarget(UnsafeRawBufferPointer(start: line + start, count: targetEnd - start), at: start)
        return length
    }

    private mutating func parseVersion(_ line: UnsafeRawPointer, from start: Int, _ count: Int) throws(Refusal) -> Int?
    {
        switch HTTPVersion.parse(line + start, count - start) {
        case .needMore: return nil
        case .malformed: throw Refusal(.badRequest, "The request line has no HTTP version (RFC 9112 §2.3).")
        case .unsupported: throw Refusal(.unsupportedVersion, "Only HTTP/1.0 and HTTP/1.1 are spoken here.")
        case .version(let read): version = read
        }
        let end = start + 8
        if end == count { return nil }
        guard line.load(fromByteOffset: end, as: UInt8.self) == .cr else {
            throw Refusal(.badRequest, "The request line does not end with CRLF after the version (RFC 9112 §2.2, §3).")
        }
        if end + 1 == count { return nil }
        guard line.load(fromByteOffset: end + 1, as: UInt8.self) == .lf else {
            throw Refusal(.badRequest, "A CR stands without its LF (RFC 9112 §2.2).")
        }
        return end + 2
    }
}
