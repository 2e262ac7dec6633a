/// What all spans of one trace have in common: 16 bytes (W3C Trace Context Level 2 §3.2.2.3).
public struct TraceID: Hashable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// All zero bytes are no identifier.
    var isValid: Bool { high | low != 0 }

    /// 32 hexadecimal digits.
    public var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

/// What tells one span of a trace from the others: 8 bytes, not all of them zero (§3.2.2.4).
public struct SpanID: Hashable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }

    var isValid: Bool { number != 0 }

    /// 16 hexadecimal digits.
    public var description: String { Hexadecimal.text(number) }
}

/// Numbers as lower-case hexadecimal digits, all of them.
enum Hexadecimal {
    static func digit(_ value: UInt64) -> UInt8 { UInt8(value < 10 ? 0x30 + value : 0x57 + value) }

    static func text(_ number: UInt64) -> String {
        String(decoding: stride(from: 60, through: 0, by: -4).map { digit(number >> UInt64($0) & 15) }, as: UTF8.self)
    }

    /// Writes `count` digits into `line` at `offset`.
    static func write(_ number: UInt64, count: Int, into line: UnsafeMutableRawBufferPointer, at offset: Int) {
        for index in 0..<count { line[offset + index] = digit(number >> UInt64(4 * (count - 1 - index)) & 15) }
    }

    /// The number that lower-case digits stand for; nil where one of the bytes is none.
    static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            switch byte {
            case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        return number
    }
}
