/// A value that one thread at a time may touch.
// The value is touched with the lock held. That is why Sendable holds.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.hold { body(&value) }
    }

    /// Puts a value in the place of another. That one is released when the lock is free again: what ends with it may be
    /// the program's, and may ask for the value.
    func replace(with new: Value) {
        var old = new
        withLock { swap(&$0, &old) }
    }
}
