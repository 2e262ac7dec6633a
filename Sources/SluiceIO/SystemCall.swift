internal import CLinux
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// The calls on the byte path, each with the same three outcomes. An interrupted call is made again; an errno that only
/// a mistake of ours can cause traps here, where the call is known.
enum SystemCall {
    enum Outcome {
        case bytes(Int)
        /// Not now: wait for readiness.
        case wouldBlock
        case failed(Int32)
    }

    static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, atMost limit: Int = .max
    ) -> Outcome {
        while true {
            let count = clinux_receive(descriptor, buffer.baseAddress, UInt(min(buffer.count, limit)))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "recv") { return outcome }
        }
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            let count = clinux_send(descriptor, bytes.baseAddress, UInt(bytes.count))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "send") { return outcome }
        }
    }

    static func write(_ descriptor: Int32, _ vectors: UnsafeMutableBufferPointer<iovec>) -> Outcome {
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = vectors.count
        while true {
            let count = sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "sendmsg") { return outcome }
        }
    }

    /// - Returns: nil where the call is to be made again.
    private static func judge(_ code: Int32, _ call: StaticString) -> Outcome? {
        switch code {
        case EINTR: return nil
        case EAGAIN: return .wouldBlock
        case EBADF, EFAULT, EINVAL, ENOTSOCK: preconditionFailure("\(call) refused its arguments: errno \(code)")
        default: return .failed(code)
        }
    }

    /// The text of an errno.
    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
