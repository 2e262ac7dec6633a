internal import SluiceContract

/// The key of an entry: 128 bits of a keyed hash over everything that selects an answer.
public struct CacheKey: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public init(_ hash: consuming SipHash) {
        let (high, low) = hash.finish()
        self.init(high: high, low: low)
    }

    /// Parses a key's ``text``; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(text.prefix(Self.digitCount / 2), radix: 16),
            let low = UInt64(text.suffix(Self.digitCount / 2), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static let digitCount = 32

    /// For display, and for requests to show or purge one entry: 32 hexadecimal digits.
    public var text: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}
