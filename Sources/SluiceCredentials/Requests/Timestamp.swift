/// A time as RFC 3339 writes it.
enum Timestamp {
    /// Seconds since 1970; nil where it is none. Fractions are left out.
    static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        // YYYY-MM-DDThh:mm:ss
        guard bytes.count >= 20, zip("0000-00-00T00:00:00".utf8, bytes).allSatisfy({ isLike($1, $0) }) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        let (month, day) = (number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60,
            let offset = offset(bytes[19...].drop { $0 == UInt8(ascii: ".") || isDigit($0) })
        else { return nil }
        // Days from the civil calendar, whose years begin in March.
        let year = number(0..<4) - (month <= 2 ? 1 : 0)
        let era = year / 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let yearOfEra = year - era * 400
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + hour * 3600 + minute * 60 + second - offset
    }

    /// `Z`, or the difference to UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, zip("+00:00".utf8.dropFirst(), bytes.dropFirst()).allSatisfy({ isLike($1, $0) }),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
        else { return nil }
        func number(_ index: Int) -> Int { Int(bytes[index] - 0x30) * 10 + Int(bytes[index + 1] - 0x30) }
        return (number(1) * 3600 + number(4) * 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A digit stands for any.
    private static func isLike(_ byte: UInt8, _ model: UInt8) -> Bool { isDigit(model) ? isDigit(byte) : byte == model }
}
