/// Values that arrive on some other thread, waited for one by one.
final class Inbox<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func put(_ value: Value) { continuation.yield(value) }

    /// The next value; the test's own time limit ends the wait.
    func take() async -> Value? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}
