internal import SluiceSockets
internal import Synchronization
internal import Glibc

extension Server {
    /// Starts a thread for each loop. Where the system has too few, those that run are ended, and nothing listens.
    /// - Parameter start: starts one of them; errno, or 0.
    func runLoops(
        _ listening: [Listening], _ mailboxes: [Mailbox], by start: (Mailbox, Int) -> Int32
    ) throws(StartFailure) {
        for (index, mailbox) in mailboxes.enumerated() {
            let code = start(mailbox, index)
            if code == 0 { continue }
            for begun in mailboxes[..<index] { begun.post { $0.stop() } }
            state.withLock { state in
                state.listening = []
                state.mailboxes = []
                state.loopsAtWork = []
            }
            unlinkSockets(of: listening)
            for descriptor in listening.flatMap(\.descriptors) { close(descriptor) }
            throw StartFailure(
                description: """
                    only \(index) of \(mailboxes.count) event loops could be started (\(SystemCall.reason(code))); \
                    lower 'loops:', or raise the limit of threads (TasksMax= of the service, ulimit -u)
                    """)
        }
    }

    /// Calls `done`, from any thread, once every loop has read what it has been told until now.
    func afterLoops(_ mailboxes: [Mailbox], _ done: @escaping @Sendable () -> Void) {
        let left = Countdown(mailboxes.count, done)
        for mailbox in mailboxes { mailbox.post { _ in left.arrived() } }
    }
}
