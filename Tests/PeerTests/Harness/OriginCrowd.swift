import Foundation
import Synchronization

/// The connections of an origin, each served on a thread of its own until the origin ends.
final class OriginCrowd: Sendable {
    let port: UInt16
    private let listener: Listener
    private let state = Mutex(State())

    private struct State {
        var connections: [Connection] = []
        var isEnded = false
    }

    /// - Parameter port: where an origin before this one was; 0 lets the kernel choose.
    init(port: UInt16 = 0, backlog: Int32 = 64) throws {
        listener = try Listener(port: port, backlog: backlog)
        self.port = listener.port
    }

    /// Accepts from now on.
    /// - Parameter answer: serves a connection to its end.
    func serve(_ answer: @escaping @Sendable (Connection) -> Void) {
        Thread.detachNewThread { [self] in
            while let connection = listener.accept() {
                let isEnded = state.withLock { state in
                    state.connections.append(connection)
                    return state.isEnded
                }
                if isEnded { connection.end() }
                Thread.detachNewThread {
                    answer(connection)
                    self.state.withLock { state in state.connections.removeAll { $0 === connection } }
                }
            }
        }
    }

    /// Ends the listener and every connection, in the middle of whatever they do.
    func end() {
        listener.end()
        state.withLock { state in
            state.isEnded = true
            state.connections.forEach { $0.reset() }
        }
    }
}
