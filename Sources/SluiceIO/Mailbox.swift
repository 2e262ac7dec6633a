internal import CLinux
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// How the rest of the process speaks to a loop: a queue of things to do there, and an eventfd that wakes it.
///
/// What somebody waits for is never refused: the answer of a name server, the end of a stored answer. There is no more
/// of it than there are those who wait. What only goes on, and of which any number may come, is offered: a queue as
/// long as ``offersMax`` means that the loop is stuck, and then its sender hears of it and has to end the matter.
final class Mailbox: Sendable {
    typealias Message = @Sendable (EventLoop) -> Void

    static let offersMax = 65_536
    let descriptor: Int32
    private let messages = Mutex<[Message]>([])

    init() {
        descriptor = clinux_eventfd()
        precondition(descriptor >= 0, "eventfd: \(SystemCall.reason(errno))")
    }

    deinit { close(descriptor) }

    /// Has `message` done on the loop, soon.
    func post(_ message: @escaping Message) {
        messages.withLock { $0.append(message) }
        wake()
    }

    /// The same, where there is room.
    /// - Returns: whether there was.
    func offer(_ message: @escaping Message) -> Bool {
        let isTaken = messages.withLock { messages in
            guard messages.count < Self.offersMax else { return false }
            messages.append(message)
            return true
        }
        if isTaken { wake() }
        return isTaken
    }

    private func wake() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Everything that has arrived; called on the loop.
    func collect() -> [Message] {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
