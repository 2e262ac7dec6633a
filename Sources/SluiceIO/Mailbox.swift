internal import CLinux
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// Passes work from other threads to a loop: a queue of closures, and an eventfd that wakes the loop.
///
/// Messages that a request waits for are always taken: a name server's answer, the end of a stored answer. Their number
/// is bounded by the number of waiting requests. Messages that may come in any number are offered: a queue of
/// ``offersMax`` means that the loop is stuck; the sender is told and has to give up.
final class Mailbox: Sendable {
    typealias Message = @Sendable (EventLoop) -> Void

    static let offersMax = 65_536
    let descriptor: Int32
    private let messages = Mutex<[Message]>([])

    init() {
        descriptor = clinux_eventfd()
        if descriptor < 0 { SystemCall.trap("eventfd", errno) }
    }

    deinit { close(descriptor) }

    /// Runs `message` on the loop, soon.
    func post(_ message: @escaping Message) {
        messages.withLock { $0.append(message) }
        wake()
    }

    /// Runs `message` on the loop, if the queue has room.
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
