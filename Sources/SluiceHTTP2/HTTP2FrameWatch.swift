/// Looks at the heads of the peer's frames before the library does, for what the library does not check: frames for
/// streams that the client itself has ended, and frames that keep us busy without effect. Of a server's frames, only
/// the latter are checked.
///
/// The library silently ignores many such frames, which is right for one and wrong for a flood. The result does not
/// depend on how the input is split into reads.
struct HTTP2FrameWatch {
    private var history = HTTP2StreamHistory()
    private var controlFrames: HTTP2Budget
    private var resets: HTTP2Budget
    private let continuationsMax: Int
    /// CONTINUATION frames of the current field section.
    private var continuations = 0
    /// Bytes of the current frame's payload that are still to come; at first, of the client preface.
    private var left: Int
    /// The peer is a server. The library itself checks on which streams a server may send: those that we have opened.
    private let isOfServer: Bool
    /// The frame's head, as far as it has arrived: 9 bytes in network order (RFC 9113 §4.1).
    private var head: UInt128 = 0
    private var headCount = 0
    /// The question that the first bytes of the payload answer.
    private var question = Question.none
    private var word: UInt32 = 0
    private var wordCount = 0

    private enum Question {
        case none
        /// Whether the payload, of so many bytes, is more than padding: its first byte tells.
        case padding(of: Int)
        /// On which stream this stream depends: the first four bytes tell.
        case dependency(of: Int32)
        /// By how much a stream's window opens: the four bytes tell.
        case increment(of: Int32)
        /// Which stream becomes more or less urgent: the first four bytes tell.
        case prioritised
    }

    /// A finding that has to be dealt with before the library may see the bytes that follow.
    enum Finding {
        /// An error of the connection.
        case fault(HTTP2ErrorCode)
        /// A WINDOW_UPDATE with an increment of 0 for a stream. The library has not yet seen the last byte of the
        /// increment.
        case emptyIncrement(of: Int32)
    }

    init(_ limits: HTTP2Limits, ofServer: Bool = false, at now: UInt64) {
        isOfServer = ofServer
        left = ofServer ? 0 : 24
        controlFrames = HTTP2Budget(limits.controlFrames, at: now)
        resets = HTTP2Budget(limits.resets, at: now)
        continuationsMax = limits.continuations
    }

    /// Highest stream that the client has begun.
    var lastStream: Int32 { history.last }

    /// A frame with content was sent: the peer may answer it with a few window updates.
    /// - Parameter count: bytes sent; some peers open both windows, the stream's and the connection's, in steps of 4
    ///   KiB.
    mutating func contentSent(_ count: Int = 0) { controlFrames.earn(max(2, count >> 10)) }

    /// An answer was sent to its end.
    mutating func answerSent() { resets.earn(1) }

    /// The client has made us reset a stream: that costs as much as its own resets do (CVE-2025-8671).
    /// - Returns: whether the client may go on.
    mutating func resetProvoked(at now: UInt64) -> Bool { resets.spend(at: now) }

    /// - Returns: how many of the bytes the library may see, and what was found after them.
    mutating func look(at bytes: UnsafeRawBufferPointer, now: UInt64) -> (count: Int, finding: Finding?) {
        var position = 0
        while position < bytes.count {
            if left > 0 {
                if case .none = question {
                    let step = min(left, bytes.count - position)
                    left -= step
                    position += step
                    continue
                }
                word = word << 8 | UInt32(bytes[position])
                wordCount += 1
                left -= 1
                position += 1
                if let finding = answer(at: now) {
                    if case .emptyIncrement = finding { position -= 1 }
                    return (position, finding)
                }
                continue
            }
            if headCount == 0, bytes.count - position >= 9 {
                head = UInt128(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian) << 8
                head |= UInt128(bytes[position + 8])
                position += 9
            } else {
                head = head << 8 | UInt128(bytes[position])
                headCount += 1
                position += 1
                guard headCount == 9 else { continue }
                headCount = 0
            }
            // The head itself is withheld from the library too, as far as it is in this input.
            if let fault = judge(now) { return (max(0, position - 9), .fault(fault)) }
        }
        return (position, nil)
    }

    private mutating func judge(_ now: UInt64) -> HTTP2ErrorCode? {
        left = Int(truncatingIfNeeded: head >> 48 & 0xff_ffff)
        let flags = UInt8(truncatingIfNeeded: head >> 32)
        let stream = Int32(truncatingIfNeeded: head & 0x7fff_ffff)
        switch UInt8(truncatingIfNeeded: head >> 40) {
        case 0: return judgeData(flags, stream, now)
        case 1: return judgeHeaders(flags, stream)
        case 9:
            // CVE-2024-27316.
            continuations += 1
            return continuations <= continuationsMax ? nil : .enhanceYourCalm
        case 2:
            // RFC 9113 §6.3.
            if stream == 0 { return .protocolError }
            ask(.dependency(of: stream))
        case 3:
            history.end(stream)
            // Cheap for the client, dear for us and our upstreams (CVE-2023-44487).
            if !isOfServer, !resets.spend(at: now) { return .enhanceYourCalm }
        case 8: if !isOfServer, stream != 0, left == 4 { ask(.increment(of: stream)) }
        case 16: if !isOfServer { ask(.prioritised) }
        default: break
        }
        return controlFrames.spend(at: now) ? nil : .enhanceYourCalm
    }

    /// Content of a server's answers earns budget for pings, by which some servers measure the round trip.
    private mutating func judgeData(_ flags: UInt8, _ stream: Int32, _ now: UInt64) -> HTTP2ErrorCode? {
        // RFC 9113 §5.1: after its own END_STREAM or RST_STREAM the client may send nothing more on the stream.
        if !isOfServer, history.verdict(stream) != .fine { return .streamClosed }
        if flags & 0x1 != 0 {
            history.end(stream)
            if isOfServer { controlFrames.earn(2) }
        } else if left == 0 {
            if !controlFrames.spend(at: now) { return .enhanceYourCalm }
        } else if flags & 0x8 != 0 {
            ask(.padding(of: left))
        } else if isOfServer {
            controlFrames.earn(1)
        }
        return nil
    }

    private mutating func judgeHeaders(_ flags: UInt8, _ stream: Int32) -> HTTP2ErrorCode? {
        continuations = 0
        if isOfServer { return nil }
        switch history.verdict(stream) {
        case .fine: break
        // RFC 9113 §5.1.1: identifiers only grow.
        case .skipped: return .protocolError
        case .ended: return .streamClosed
        }
        if stream > history.last, stream & 1 == 1 {
            history.open(stream)
            controlFrames.earn(2)
        }
        if flags & 0x1 != 0 { history.end(stream) }
        return nil
    }

    private mutating func ask(_ question: Question) {
        guard left > 0 else { return }
        self.question = question
        word = 0
        wordCount = 0
    }

    /// Another byte of the payload has arrived.
    private mutating func answer(at now: UInt64) -> Finding? {
        if case .padding(let count) = question {
            question = .none
            return Int(word) + 1 < count || controlFrames.spend(at: now) ? nil : .fault(.enhanceYourCalm)
        }
        if wordCount < 4, left > 0 { return nil }
        let question = question
        self.question = .none
        guard wordCount == 4 else { return nil }
        let value = word & 0x7fff_ffff
        switch question {
        case .none, .padding: return nil
        // RFC 7540 §5.3.1, the rest of which has become obsolete.
        case .dependency(let stream): return value == UInt32(stream) ? .fault(.protocolError) : nil
        // RFC 9113 §6.9: an error of the stream, which the library treats as one of the connection.
        case .increment(let stream): return value == 0 ? .emptyIncrement(of: stream) : nil
        // RFC 9218 §7.1: the frame may concern neither the connection nor a pushed stream, of which there are none.
        case .prioritised: return value & 1 == 0 ? .fault(.protocolError) : nil
        }
    }
}
