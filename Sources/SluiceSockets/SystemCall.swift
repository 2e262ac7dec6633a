internal import CLinux
package import Glibc

/// The reading and writing system calls, each with the same three outcomes. An interrupted call is repeated; an errno
/// that only a programming error can cause traps here, where the call is known.
package enum SystemCall {
    package enum Outcome {
        case bytes(Int)
        /// The call would block: wait for readiness.
        case wouldBlock
        case failed(Int32)
    }

    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, atMost limit: Int = .max
    ) -> Outcome {
        while true {
            let count = clinux_receive(descriptor, buffer.baseAddress, UInt(min(buffer.count, limit)))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "recv") { return outcome }
        }
    }

    /// Reads from a Unix socket, where descriptors may come along: a read then ends after the bytes they came with,
    /// even if there are more (unix(7), SCM_RIGHTS). They are of no use here, and the kernel closes them.
    /// - Parameter isCut: set to whether descriptors have cut the read short.
    package static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, atMost limit: Int, isCut: inout Bool
    ) -> Outcome {
        var vector = iovec(iov_base: buffer.baseAddress, iov_len: min(buffer.count, limit))
        return withUnsafeMutablePointer(to: &vector) { vector in
            while true {
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 1
                let count = recvmsg(descriptor, &message, 0)
                isCut = count > 0 && message.msg_flags & Int32(MSG_CTRUNC) != 0
                if count >= 0 { return .bytes(count) }
                if let outcome = judge(errno, "recvmsg") { return outcome }
            }
        }
    }

    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            let count = clinux_send(descriptor, bytes.baseAddress, UInt(bytes.count))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "send") { return outcome }
        }
    }

    package static func write(_ descriptor: Int32, _ vectors: UnsafeMutableBufferPointer<iovec>) -> Outcome {
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = vectors.count
        while true {
            let count = sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if let outcome = judge(errno, "sendmsg") { return outcome }
        }
    }

    /// - Returns: nil where the call is to be repeated.
    private static func judge(_ code: Int32, _ call: StaticString) -> Outcome? {
        switch code {
        case EINTR: return nil
        case EAGAIN: return .wouldBlock
        case EBADF, EFAULT, EINVAL, ENOTSOCK: trap(call, code)
        default: return .failed(code)
        }
    }

    /// Ends the process because of a call that fails only by a programming error, or that nothing can do without. Says
    /// which on standard error: in a release build preconditionFailure(_:) ends it without a word.
    @inline(never)
    package static func trap(_ call: StaticString, _ code: Int32) -> Never {
        var line = "sluice: \(call): \(reason(code))\n"
        line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
        preconditionFailure("\(call): \(reason(code))")
    }

    /// The text of an errno.
    package static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
