internal import Logging
internal import SluiceContract
internal import SluiceGateway
internal import Synchronization

extension Server {
    /// Sets the writer of the access log; nil switches the log off, at no further cost.
    public func writeAccessLog(to writer: AccessLogWriter?) {
        let (mailboxes, buffers) = replace(writer, \.accessLog, \.accessBuffers)
        let shape = writer?.shape ?? AccessShape(LogSettings())
        for (mailbox, buffer) in zip(mailboxes, buffers) {
            mailbox.post { loop in
                loop.gateway.accessLog = buffer.map { buffer in
                    let logger = AccessLogger(buffer, shape)
                    return { logger.log($0) }
                }
            }
        }
    }

    /// Sets the writer of the audit log; nil switches the log off, at no further cost.
    public func writeAuditLog(to writer: AccessLogWriter?) {
        let (mailboxes, buffers) = replace(writer, \.auditLog, \.auditBuffers)
        for (mailbox, buffer) in zip(mailboxes, buffers) {
            mailbox.post { loop in
                loop.gateway.auditLog = buffer.map { buffer in
                    { AuditLine.line($0, at: Timestamp.now()).withUnsafeBytes { buffer.append($0) } }
                }
            }
        }
        let own = writer?.makeBuffer()
        if let own { state.withLock { $0.auditBuffers.append(own) } }
        credentials.audit.write(to: own)
    }

    /// Lines in the replaced buffers are still written: each buffer has its timer running.
    /// - Returns: every loop's mailbox and its new buffer.
    private func replace(
        _ writer: AccessLogWriter?, _ log: WritableKeyPath<State, AccessLogWriter?>,
        _ kept: WritableKeyPath<State, [AccessLogBuffer]>
    ) -> ([Mailbox], [AccessLogBuffer?]) {
        state.withLock { state in
            state[keyPath: log] = writer
            let buffers = state.mailboxes.map { _ in writer?.makeBuffer() }
            state[keyPath: kept] = buffers.compactMap { $0 }
            return (state.mailboxes, buffers)
        }
    }

    /// How long the end of the process waits for the logs to be taken.
    private static let flushLimit = Duration.seconds(1)

    /// The same for the collector of spans.
    static let spansLimit = Duration.seconds(2)

    /// Writes the lines that the loops have left, as far as the file or pipe takes them.
    static func flush(_ buffers: [AccessLogBuffer], _ logger: Logger) {
        let deadline = ContinuousClock.now + flushLimit
        let isWritten = buffers.reduce(true) { isWritten, buffer in
            buffer.flush(within: max(.zero, deadline - .now)) && isWritten
        }
        if !isWritten {
            logger.warning("the last lines of the access log or the audit log were not taken in time, and are lost")
        }
    }
}
