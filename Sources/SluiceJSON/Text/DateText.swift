import CSIMD
internal import SluiceContract

/// `Date`: a calendar date (RFC 3339 `full-date`), or date and time with an offset (§5.6; the seconds may be missing,
/// and the offset may be ISO 8601's `+0130` or `+01`). `Date(local)`: the same, and a time without an offset.
public enum DateText {
    static func isDate(_ text: UnsafeBufferPointer<UInt8>, mayBeLocal: Bool = false) -> Bool {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2), reader.take("-"),
            let day = reader.digits(2), (1...12).contains(month), day >= 1, day <= days(of: month, in: year)
        else { return false }
        if reader.isAtEnd { return true }
        guard reader.take("T", or: "t") || reader.take(" ") else { return false }
        return time(&reader, on: CivilDate(year: year, month: month, day: day), mayBeLocal)
    }

    private static func time(_ reader: inout Reader, on day: CivilDate, _ mayBeLocal: Bool) -> Bool {
        guard let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2), hour < 24, minute < 60
        else { return false }
        var isLeapSecond = false
        if reader.take(":") {
            guard let second = reader.digits(2), second <= 60 else { return false }
            isLeapSecond = second == 60
            if reader.take("."), !reader.someDigits() { return false }
        }
        // Without an offset the minute in UTC is unknown, so a leap second cannot be checked.
        if reader.isAtEnd { return mayBeLocal }
        guard let offset = offsetMinutes(&reader), reader.isAtEnd else { return false }
        return !isLeapSecond || isLastMinute(hour * 60 + minute - offset, of: day)
    }

    /// The offset from UTC in minutes.
    private static func offsetMinutes(_ reader: inout Reader) -> Int? {
        if reader.take("Z", or: "z") { return 0 }
        let isEast = reader.take("+")
        guard isEast || reader.take("-"), let hours = reader.digits(2), hours < 24 else { return nil }
        var minutes = 0
        if !reader.isAtEnd {
            _ = reader.take(":")
            guard let digits = reader.digits(2), digits < 60 else { return nil }
            minutes = digits
        }
        return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
    }

    /// Whether this is the last minute of a month, the only one that may have a leap second (RFC 3339 §5.7).
    /// - Parameter minutes: in UTC, since the beginning of the day; they may be on the day before or after.
    private static func isLastMinute(_ minutes: Int, of day: CivilDate) -> Bool {
        let (days, minute) = minutes.floorDivided(by: 1440)
        return minute == 1439 && CivilDate(day: day.dayNumber + days + 1).day == 1
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
