import Synchronization

@testable import SluiceGateway

/// The mailbox of a loop: messages wait until the test delivers them.
final class LoopMailbox: Sendable {
    private final class Box: Sendable {
        let messages = Mutex<[LoopAddress.Message]>([])
    }

    private let box = Box()
    let address: LoopAddress

    /// - Parameter roomFor: messages beyond which one that may be refused is.
    init(roomFor: Int = .max) {
        let box = box
        address = LoopAddress { message, mayBeRefused in
            box.messages.withLock { messages in
                if mayBeRefused, messages.count >= roomFor { return false }
                messages.append(message)
                return true
            }
        }
    }

    /// All that wait, or the first so many.
    func take(_ count: Int = .max) -> [LoopAddress.Message] {
        box.messages.withLock { messages in
            let taken = Array(messages.prefix(count))
            messages.removeFirst(taken.count)
            return taken
        }
    }

    /// Delivers what waits for each loop until nothing does, whatever comes of it.
    static func deliver(_ mailboxes: [LoopMailbox], to benches: [Bench]) {
        var moves = true
        while moves {
            moves = false
            for (bench, mailbox) in zip(benches, mailboxes) {
                for message in mailbox.take() {
                    bench.gateway.receive(message)
                    bench.turn()
                    moves = true
                }
            }
        }
    }
}
