internal import SluiceContract

/// What chance decides on one loop, repeatable from its seed.
struct RandomSource {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, not including, `bound`; 0 where that is 0.
    mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }
}
