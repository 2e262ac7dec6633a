@testable import SluiceGateway

/// What the simulation draws; the same everywhere for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var source: RandomSource

    init(seed: UInt64) {
        source = RandomSource(seed: seed)
    }

    mutating func next() -> UInt64 { source.next() }

    /// True in `percent` of 100 cases.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// One of the choices; those with more weight more often.
    mutating func pick<Choice>(_ choices: KeyValuePairs<Choice, Int>) -> Choice {
        var ticket = Int.random(in: 0..<choices.reduce(0) { $0 + $1.value }, using: &self)
        for (choice, weight) in choices {
            if ticket < weight { return choice }
            ticket -= weight
        }
        return choices[choices.count - 1].key
    }
}
