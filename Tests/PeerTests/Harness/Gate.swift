import Dispatch

/// Something that a scripted origin waits for until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// False where the test never opened it.
    func wait() -> Bool {
        guard semaphore.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else { return false }
        // It stays open for whoever comes next.
        semaphore.signal()
        return true
    }
}
