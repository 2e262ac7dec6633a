import CSIMD

/// `Date`: a calendar date (RFC 3339 `full-date`), or date and time with an offset (§5.6; the seconds may be missing,
/// and the offset may be ISO 8601's `+0130` or `+01`). `Date(local)`: the same, and a time without an offset.
public enum DateText {
    static func isDate(_ text: UnsafeBufferPointer<UInt8>, mayBeLocal: Bool = false) -> Bool {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2), (1...12).contains(month), day >= 1, day <= days(of: month, in: year)
        else { return false }
        if reader.isAtEnd { return true }
        return reader.take("T", or: "t") || reader.take(" ") ? time(&reader, mayBeLocal) : false
    }

    private static func time(_ reader: inout Reader, _ mayBeLocal: Bool) -> Bool {
        guard let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2), hour < 24, minute < 60
        else { return false }
        if reader.take(":") {
            // 60 is a leap second.
            guard let second = reader.digits(2), second <= 60 else { return false }
            if reader.take("."), !reader.someDigits() { return false }
        }
        if reader.isAtEnd { return mayBeLocal }
        if reader.take("Z", or: "z") { return reader.isAtEnd }
        guard reader.take("+", or: "-"), let offsetHour = reader.digits(2), offsetHour < 24 else { return false }
        if reader.isAtEnd { return true }
        _ = reader.take(":")
        guard let offsetMinute = reader.digits(2), offsetMinute < 60 else { return false }
        return reader.isAtEnd
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        let text: UnsafeBufferPointer<UInt8>
        var index = 0

        var isAtEnd: Bool { index == text.count }

        mutating func take(_ letter: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
            guard index < text.count else { return false }
            let byte = UInt32(text[index])
            guard byte == letter.value || byte == other?.value else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard text.count - index >= count else { return nil }
            var value = 0
            for _ in 0..<count {
                guard sluice_json_is_digit(text[index]) else { return nil }
                value = value * 10 + Int(text[index] & 15)
                index += 1
            }
            return value
        }

        mutating func someDigits() -> Bool {
            let start = index
            while index < text.count, sluice_json_is_digit(text[index]) { index += 1 }
            return index > start
        }
    }
}
