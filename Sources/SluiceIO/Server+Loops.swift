internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization
internal import Glibc

extension Server {
    /// Starts a thread for each loop. Where the system has too few, those that run are ended, and nothing listens.
    func runLoops(
        _ table: RouteTable, _ listening: [Listening], _ mailboxes: [Mailbox]
    ) throws(StartFailure) {
        for (index, mailbox) in mailboxes.enumerated() {
            let code = run(table, mailbox, index)
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
}
