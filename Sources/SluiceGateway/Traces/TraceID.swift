internal import SluiceContract

/// The identifier that all spans of a trace share: 16 bytes (W3C Trace Context Level 2 §3.2.2.3).
public struct TraceID: Hashable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// Identifiers of zeros only are invalid.
    var isValid: Bool { high | low != 0 }

    /// 32 hexadecimal digits.
    public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

/// The identifier of one span of a trace: 8 bytes, not all of them zero (§3.2.2.4).
public struct SpanID: Hashable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }

    var isValid: Bool { number != 0 }

    /// 16 hexadecimal digits.
    public var description: String { Hexadecimal.text(number) }
}
