internal import Dispatch
internal import SluiceFiles
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// A line on the terminal about a wait that takes longer than two seconds. It is erased at the end; it is not shown
/// where standard error is no terminal.
final class Progress: Sendable {
    private enum State {
        case waiting, shown, over
    }

    private static let patience = 2
    /// One line at a time: nested waits are not shown.
    private static let current = Mutex<Progress?>(nil)
    /// Moves to the first column and erases the line (ECMA-48 §8.3.41): no colour, so NO_COLOR does not apply.
    private static let wipe = "\r\u{1B}[K"

    private let words: String
    private let state = Mutex(State.waiting)
    private let isOver = DispatchSemaphore(value: 0)
    private let isTold: Bool

    init(_ words: String) {
        self.words = words
        isTold = Terminal.isScreen(STDERR_FILENO) && Self.current.withLock { $0 == nil }
        guard isTold else { return }
        Self.current.withLock { $0 = self }
        ServiceThread.run("sluice-progress") { [self] in tell() }
    }

    /// Shows `words` while `body` waits.
    static func during<Result, Failure: Error>(
        _ words: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let progress = Progress(words)
        defer { progress.end() }
        return try body()
    }

    /// Erases the line: further output starts on a line of its own. May be called twice.
    func end() {
        let wasOver = state.withLock { state in
            if state == .shown { Self.write(Self.wipe) }
            defer { state = .over }
            return state == .over
        }
        if wasOver || !isTold { return }
        isOver.signal()
        Self.current.withLock { $0 = nil }
    }

    /// Makes room for words that are to stay.
    static func makeRoom() {
        let progress = current.withLock { $0 }
        progress?.state.withLock { state in
            guard state == .shown else { return }
            write(wipe)
            state = .waiting
        }
    }

    private func tell() {
        var seconds = Self.patience
        while isOver.wait(timeout: .now() + .seconds(seconds == Self.patience ? seconds : 1)) == .timedOut {
            let line = "\(words) … \(seconds) s"
            state.withLock { state in
                if state == .over { return }
                state = .shown
                // A line that goes on below could not be wiped away.
                let columns = max(1, (Terminal.columns(of: STDERR_FILENO) ?? 80) - 1)
                Self.write(Self.wipe + String(line.prefix(columns)))
            }
            seconds += 1
        }
    }

    private static func write(_ text: String) {
        // A failed write does no harm.
        _ = Array(text.utf8).withUnsafeBytes { DescriptorWrite.all($0, to: STDERR_FILENO, patienceMilliseconds: -1) }
    }
}
