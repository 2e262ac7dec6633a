internal import Dispatch
internal import SluiceContract
internal import Synchronization

/// The lines of one loop on their way to the ``AccessLogWriter``.
///
/// A loop appends under a lock that is otherwise held only to swap two arrays; it never waits for the disk. Unwritten
/// lines are bounded: past ``bytesMax`` lines are dropped and counted.
public final class AccessLogBuffer: Sendable {
    /// From this many bytes on, lines are written at once, not after a second.
    static let batchBytes = 64 << 10
    /// Bytes that may wait for the disk.
    static let bytesMax = 1 << 20

    private struct State {
        var bytes: [UInt8] = []
        /// The other array, empty, while none is being written.
        var spare: [UInt8] = []
        var lines = 0
        var dropped = 0
        var isTimerSet = false
        var isBatchDue = false
    }

    private enum Action {
        case none, drainNow, drainSoon
    }

    /// What stands before a line that is sent as a message of its own, and ends without a line end.
    static let lengthBytes = 4

    private let writer: AccessLogWriter
    private let state = Mutex(State())

    init(writer: AccessLogWriter) {
        self.writer = writer
    }

    /// Adds a line, without its line end.
    public func append(_ line: UnsafeRawBufferPointer) {
        let action = state.withLock { state -> Action in
            guard state.bytes.count + line.count < Self.bytesMax else {
                state.dropped += 1
                return .none
            }
            if writer.sendsMessages {
                withUnsafeBytes(of: UInt32(line.count)) { state.bytes.append(contentsOf: $0) }
            }
            state.bytes.append(contentsOf: line)
            if !writer.sendsMessages { state.bytes.append(0x0A) }
            state.lines += 1
            if state.bytes.count >= Self.batchBytes, !state.isBatchDue {
                state.isBatchDue = true
                return .drainNow
            }
            if state.isTimerSet { return .none }
            state.isTimerSet = true
            return .drainSoon
        }
        switch action {
        case .none: break
        case .drainNow: writer.queue.async { self.drain() }
        case .drainSoon:
            writer.queue.asyncAfter(deadline: .now() + .seconds(1)) {
                self.state.withLock { $0.isTimerSet = false }
                self.drain()
            }
        }
    }

    /// Waits until everything is written, for a loop that ends; but not for long.
    /// - Returns: whether it is.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        writer.queue.async {
            self.drain()
            done.signal()
        }
        return done.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondsClamped))) == .success
    }

    private func drain() {
        var batch: [UInt8] = []
        let (lines, dropped) = state.withLock { state in
            swap(&batch, &state.bytes)
            swap(&state.bytes, &state.spare)
            defer {
                state.lines = 0
                state.dropped = 0
                state.isBatchDue = false
            }
            return (state.lines, state.dropped)
        }
        if lines > 0 || dropped > 0 { writer.writeLines(batch, count: lines, dropped: dropped) }
        // Frees an array that a burst has made large.
        guard batch.capacity <= 2 * Self.batchBytes else { return }
        batch.removeAll(keepingCapacity: true)
        state.withLock { swap(&batch, &$0.spare) }
    }
}
