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

    /// Delivers what waits for each loop until nothing does, whatever comes of it.
    static func deliver(_ letters: [Letters], to benches: [Bench]) {
        var moves = true
        while moves {
            moves = false
            for (bench, letters) in zip(benches, letters) {
                for letter in letters.take() {
                    letter(bench.gateway)
                    bench.turn()
                    moves = true
                }
            }
        }
    }
}
