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
}
