internal import Synchronization

/// A client that follows finished requests: lines wait here until the follower's own loop takes them. If they are not
/// taken fast enough, some are left out, and a line says how many.
final class RequestFollower: Sendable {
    /// Bytes that may wait.
    static let bytesMax = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        /// Lines that were left out.
        var dropped = 0
        /// The loop has been woken, and has not taken the lines yet.
        var isWoken = false
    }

    let filter: RequestFilter
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    init(_ filter: RequestFilter, _ wake: @escaping @Sendable () -> Void) {
        self.filter = filter
        self.wake = wake
    }

    /// - Parameter line: with its line end.
    func append(_ line: [UInt8]) {
        let isNews = state.withLock { state in
            if state.dropped == 0, state.bytes.count + line.count <= Self.bytesMax {
                state.bytes += line
            } else {
                state.dropped += 1
            }
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isNews { wake() }
    }

    /// All waiting lines, and after them one that says how many are missing.
    func take() -> [UInt8] {
        state.withLock { state in
            state.isWoken = false
            defer { (state.bytes, state.dropped) = ([], 0) }
            return state.dropped == 0 ? state.bytes : state.bytes + Array("{\"dropped\":\(state.dropped)}\n".utf8)
        }
    }
}
