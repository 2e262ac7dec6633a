/// A parsed regular expression.
indirect enum PatternSyntax: Hashable, Sendable {
    case empty
    /// One scalar of this set.
    case one(of: ScalarSet)
    case sequence([PatternSyntax])
    case alternatives([PatternSyntax])
    /// - max: nil is without limit.
    case repeated(PatternSyntax, min: Int, max: Int?)
    /// `^` and `$`.
    case start, end
}

/// A set of Unicode scalars, as ranges in order that do not touch.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>] = []

    static let last: UInt32 = 0x10FFFF
    static let digits = ScalarSet([0x30...0x39])
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = ScalarSet([0x09...0x0D, 0x20...0x20])
    static let newline = ScalarSet([0x0A...0x0A])

    init(_ ranges: [ClosedRange<UInt32>] = []) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let previous = self.ranges.last, range.lowerBound <= previous.upperBound + 1 {
                self.ranges[self.ranges.count - 1] =
                    previous.lowerBound...max(previous.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    var inverted: ScalarSet {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { result.append(next...Self.last) }
        return ScalarSet(result)
    }
}
