/// The watchers of something, each with a stream of its own.
struct Watchers<Element: Sendable>: Sendable {
    private var continuations: [UInt64: AsyncStream<Element>.Continuation] = [:]
    private var latest: UInt64 = 0

    mutating func add(_ continuation: AsyncStream<Element>.Continuation) -> UInt64 {
        latest += 1
        continuations[latest] = continuation
        return latest
    }

    /// - Returns: the stream of the watcher that has left, with the elements that it had not taken.
    mutating func remove(_ id: UInt64) -> AsyncStream<Element>.Continuation? {
        continuations.removeValue(forKey: id)
    }

    func tell(_ element: Element) {
        for continuation in continuations.values { continuation.yield(element) }
    }

    func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}
