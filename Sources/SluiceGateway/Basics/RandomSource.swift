internal import SluiceContract

/// The random numbers of one loop, repeatable from a seed.
struct RandomSource {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 up to, but not including, `bound`; 0 where `bound` is 0.
    mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: bound).high
    }
}
