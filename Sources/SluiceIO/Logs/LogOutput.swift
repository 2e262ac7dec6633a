internal import Dispatch
internal import Logging
public import SluiceContract
internal import SluiceFiles
internal import Synchronization
internal import Glibc

/// Where the lines of the log go: standard error, written on a thread of its own.
///
/// Logging never waits for the reader of the log: neither a loop nor the end of the process does. Unwritten lines are
/// bounded: past ``bytesMax`` lines are dropped and counted, and once there is room a line says how many.
public final class LogOutput: Sendable {
    /// Bytes of lines that may wait.
    static let bytesMax = 256 << 10

    private struct State {
        var bytes: [UInt8] = []
        /// Lines that found no room.
        var dropped = 0
        var isWriting = false
    }

    private let shape: LogShape
    private let descriptor: Int32
    private let state = Mutex(State())
    /// The queue's thread may block in a write for ever.
    private let queue = DispatchQueue(label: "sluice.log")

    /// - Parameter descriptor: written to, by default standard error; `auto` in `settings` means text where it is a
    ///   terminal.
    public init(_ settings: LogSettings, descriptor: Int32 = 2) {
        self.descriptor = descriptor
        shape = LogShape(settings.format, descriptor: descriptor)
    }

    /// Appends a line to the queue.
    func append(_ line: LogLine) {
        let bytes = shape.bytes(of: line)
        let isIdle = state.withLock { state in
            if state.bytes.count + bytes.count <= Self.bytesMax {
                state.bytes += bytes
            } else {
                state.dropped += 1
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isIdle { queue.async { self.drain() } }
    }

    /// Waits until all lines are written, but not for long.
    /// - Returns: whether they are.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        // Runs after the drain in progress.
        queue.async { done.signal() }
        return done.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondsClamped))) == .success
    }

    /// On `queue`.
    private func drain() {
        while true {
            let (batch, dropped) = state.withLock { state in
                defer { (state.bytes, state.dropped) = ([], 0) }
                state.isWriting = !state.bytes.isEmpty || state.dropped > 0
                return (state.bytes, state.dropped)
            }
            if batch.isEmpty, dropped == 0 { return }
            write(batch)
            if dropped > 0 { write(shape.bytes(of: Self.lost(dropped))) }
        }
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            // If standard error is gone, there is nowhere to report it.
            _ = DescriptorWrite.all(bytes, to: descriptor, patienceMilliseconds: -1)
        }
    }

    private static func lost(_ count: Int) -> LogLine {
        LogLine(
            time: Timestamp.now(), level: .warning, label: "sluice",
            message: "lines of the log were lost: nobody read them in time", metadata: ["lines": "\(count)"])
    }
}
