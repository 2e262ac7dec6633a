import Synchronization

@testable import SluiceGateway

/// The mailbox of a loop: letters wait until the test delivers them.
final class Letters: Sendable {
    private final class Box: Sendable {
        let letters = Mutex<[LoopAddress.Letter]>([])
    }

    private let box = Box()
    let address: LoopAddress

    init() {
        let box = box
        address = LoopAddress { letter in box.letters.withLock { $0.append(letter) } }
    }

    /// All that wait, or the first so many.
    func take(_ count: Int = .max) -> [LoopAddress.Letter] {
        box.letters.withLock { letters in
            let taken = Array(letters.prefix(count))
            letters.removeFirst(taken.count)
            return taken
        }
    }
}
