internal import SluiceSockets

/// The one thread that waits for disks, while there is something to wait for: neither the loop nor Swift's own threads
/// do. Its work is short: a piece of a file.
enum FileThread {
    typealias Work = @Sendable () -> Void

    private enum State {
        case idle
        case atWork(waiting: [Work])
    }

    private static let state = Locked(State.idle)

    static func run(_ work: @escaping Work) {
        let isFirst = state.withLock { state -> Bool in
            switch state {
            case .idle:
                state = .atWork(waiting: [])
                return true
            case .atWork(let waiting):
                state = .atWork(waiting: waiting + [work])
                return false
            }
        }
        guard isFirst else { return }
        ServiceThread.run("sluice-files") {
            work()
            while let batch = next() { for work in batch { work() } }
        }
    }

    /// What has come meanwhile; nil where nothing has, and the thread ends.
    private static func next() -> [Work]? {
        state.withLock { state in
            guard case .atWork(let waiting) = state, !waiting.isEmpty else {
                state = .idle
                return nil
            }
            state = .atWork(waiting: [])
            return waiting
        }
    }
}
