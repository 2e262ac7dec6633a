/// Numbers and bytes in hexadecimal digits, lower case.
public enum Hexadecimal {
    /// - Parameter count: digits, with zeros in front; more where the number needs more.
    public static func text(_ number: UInt64, digits count: Int = 16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Two digits for each byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        append(Array(bytes), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends two digits for each byte.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digit(UInt64(byte >> 4)))
            text.append(digit(UInt64(byte & 15)))
        }
    }

    /// - Parameter digits: of either case.
    /// - Returns: nil where they are no pairs of digits.
    public static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(isDigit) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    /// Writes `count` digits into `line` at `offset`.
    public static func write(
        _ number: UInt64, count: Int, into line: UnsafeMutableRawBufferPointer, at offset: Int
    ) {
        for index in 0..<count { line[offset + index] = digit(number >> UInt64(4 * (count - 1 - index)) & 15) }
    }

    /// The number that lower-case digits stand for; nil where one of the bytes is none.
    public static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
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

    /// Of a number below 16.
    public static func digit(_ value: UInt64) -> UInt8 { UInt8(value < 10 ? 0x30 + value : 0x57 + value) }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
