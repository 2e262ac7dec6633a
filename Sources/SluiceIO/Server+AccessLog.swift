internal import Logging
internal import SluiceGateway
internal import Synchronization

extension Server {
    /// Where the lines of the access log go from now on; nil switches it off, and then it costs nothing.
    public func writeAccessLog(to writer: AccessLogWriter?) {
        let (mailboxes, buffers) = replaceAccessLog(writer)
        for (mailbox, buffer) in zip(mailboxes, buffers) {
            mailbox.post { loop in
                loop.gateway.accessLog = buffer.map { buffer in
                    let logger = AccessLogger(buffer)
                    return { logger.log($0) }
                }
            }
        }
    }

    /// Lines of the buffers replaced here are written all the same: each has its timer running.
    /// - Returns: every loop's mailbox and its new buffer.
    private func replaceAccessLog(_ writer: AccessLogWriter?) -> ([Mailbox], [AccessLogBuffer?]) {
        state.withLock { state in
            state.accessLog = writer
            let buffers = state.mailboxes.map { _ in writer?.makeBuffer() }
            state.accessBuffers = buffers.compactMap { $0 }
            return (state.mailboxes, buffers)
        }
    }

    /// How long the end of the process waits for the access log to be taken.
    private static let flushLimit = Duration.seconds(1)

    /// Writes what the loops have left, as far as somebody takes it.
    static func flush(_ buffers: [AccessLogBuffer], _ logger: Logger) {
        let deadline = ContinuousClock.now + flushLimit
        let isWritten = buffers.reduce(true) { isWritten, buffer in
            buffer.flush(within: max(.zero, deadline - .now)) && isWritten
        }
        if !isWritten { logger.warning("the last lines of the access log were not taken in time, and are lost") }
    }
}
