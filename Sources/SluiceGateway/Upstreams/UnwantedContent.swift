internal import SluiceHTTP

/// The rest of an answer whose wanted part is valid already (`early:`), which is read and dropped.
final class UnwantedContent {
    /// No more than this is read and dropped: a new connection costs less.
    static let bytesMax = 64 << 10
    /// The longest time that the rest is waited for, a second.
    static let nanosecondsMax: UInt64 = 1_000_000_000

    private var head = ResponseHead()
    private var trailers = HeaderBlock()
    private var byteCount = 0

    enum Step {
        case needMore
        /// There may be more in the input.
        case more
        case end(reusable: Bool)
        /// It exceeds the limit, or its end is malformed.
        case tooMuch
    }

    func read(from machine: inout HTTP1ClientMachine) -> Step {
        switch machine.next(&head, trailers: &trailers) {
        case .needMore: return .needMore
        case .body(let bytes):
            byteCount += bytes.count
            return byteCount > Self.bytesMax ? .tooMuch : .more
        case .end(let reusable): return .end(reusable: reusable)
        case .interim, .response, .malformed, .truncated, .closedIdle: return .tooMuch
        }
    }
}
