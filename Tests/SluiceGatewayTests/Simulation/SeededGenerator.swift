/// SplitMix64: small, fast, and the same everywhere for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

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
