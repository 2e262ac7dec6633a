internal import Synchronization

/// Reads the content of one answer off its connection. When it is released, the connection is closed, unless the
/// content has ended.
final class BodyReader: Sendable {
    private let connection: ClientConnection
    private let number: UInt64
    /// What came with the head.
    private let first: Locked<[UInt8]>
    private let isEnded = Atomic<Bool>(false)

    init(_ connection: ClientConnection, _ number: UInt64, first: [UInt8]) {
        self.connection = connection
        self.number = number
        self.first = Locked(first)
    }

    deinit {
        if !isEnded.load(ordering: .acquiring) { connection.cancel(number) }
    }

    /// The call's time no longer counts, but the silence of the answer does.
    func stream() { connection.stream(number) }

    /// More of the content; nil at its end.
    func next() async throws -> [UInt8]? {
        let start = first.withLock { first in
            defer { first = [] }
            return first
        }
        if !start.isEmpty { return start }
        if isEnded.load(ordering: .acquiring) { return nil }
        switch await connection.content(number) {
        case .bytes(let bytes, let isLast):
            if isLast { isEnded.store(true, ordering: .releasing) }
            return bytes
        case .wait, .end:
            isEnded.store(true, ordering: .releasing)
            return nil
        case .failed(let failure): throw failure.error
        }
    }
}
