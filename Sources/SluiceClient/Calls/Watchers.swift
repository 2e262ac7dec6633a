/// Those who watch something, each through a stream of its own.
struct Watchers<Element: Sendable>: Sendable {
    private var continuations: [UInt64: AsyncStream<Element>.Continuation] = [:]
    private var latest: UInt64 = 0

    mutating func add(_ continuation: AsyncStream<Element>.Continuation) -> UInt64 {
        latest += 1
        continuations[latest] = continuation
        return latest
    }

    mutating func remove(_ id: UInt64) {
        continuations[id] = nil
    }

    func tell(_ element: Element) {
        for continuation in continuations.values { continuation.yield(element) }
    }

    func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}
