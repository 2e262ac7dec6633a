internal import SluiceContract

/// Dates of HTTP fields, as seconds since 1970 in UTC (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// Bytes of an IMF-fixdate.
    public static var byteCount: Int { 29 }

    private static var dayNames: StaticString { "MonTueWedThuFriSatSun" }
    private static var monthNames: StaticString { "JanFebMarAprMayJunJulAugSepOctNovDec" }

    /// Writes `Sun, 06 Nov 1994 08:49:37 GMT` into the first ``byteCount`` bytes of `buffer`.
    /// - Parameter seconds: since 1970, within the years 0 to 9999.
    public static func write(_ seconds: Int, into buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count >= byteCount, "no room for a date")
        let (day, time) = seconds.floorDivided(by: 86_400)
        let date = CivilDate(day: day)
        precondition((0...9999).contains(date.year), "a year has four digits")
        // 1970-01-01 was a Thursday, the fourth of the names.
        let weekday = (day + 3).floorDivided(by: 7).remainder
        for index in 0..<3 {
            buffer[index] = dayNames.utf8Start[weekday * 3 + index]
            buffer[8 + index] = monthNames.utf8Start[(date.month - 1) * 3 + index]
        }
        buffer[3] = UInt8(ascii: ",")
        for index in [4, 7, 11, 16, 25] { buffer[index] = .space }
        put(date.day, at: 5, buffer)
        put(date.year / 100, at: 12, buffer)
        put(date.year % 100, at: 14, buffer)
        put(time / 3600, at: 17, buffer)
        buffer[19] = UInt8(ascii: ":")
        put(time / 60 % 60, at: 20, buffer)
        buffer[22] = UInt8(ascii: ":")
        put(time % 60, at: 23, buffer)
        for (index, byte) in UnsafeRawBufferPointer("GMT").enumerated() { buffer[26 + index] = byte }
    }

    private static func put(_ value: Int, at index: Int, _ buffer: UnsafeMutableRawBufferPointer) {
        buffer[index] = UInt8(value / 10) + 0x30
        buffer[index + 1] = UInt8(value % 10) + 0x30
    }

    /// Reads all three formats: IMF-fixdate, RFC 850 and asctime.
    /// - Parameters:
    ///   - now: the current time: a two-digit year that would be more than 50 years later is taken for one in the past.
    ///   - ignoringCase: whether names may be in any case, as caches should read dates (RFC 9111 §4.2).
    public static func parse(_ text: UnsafeRawBufferPointer, now: Int, ignoringCase: Bool = false) -> Int? {
        var reader = DateReader(text, ignoringCase: ignoringCase)
        guard reader.skipDayName() else { return nil }
        if reader.skip(", ") {
            return parseDayFirst(&reader, now: now)
        }
        return reader.skip(" ") ? parseAsctime(&reader) : nil
    }

    private static func parseDayFirst(_ reader: inout DateReader, now: Int) -> Int? {
        guard let day = reader.number(digits: 2) else { return nil }
        let isRFC850 = reader.skip("-")
        guard isRFC850 || reader.skip(" "), let month = reader.month(monthNames) else { return nil }
        guard reader.skip(isRFC850 ? "-" : " ") else { return nil }
        guard var year = reader.number(digits: isRFC850 ? 2 : 4), reader.skip(" ") else { return nil }
        guard let time = reader.time(), reader.skip(" GMT"), reader.isAtEnd else { return nil }
        if isRFC850 {
            let thisYear = CivilDate(day: now.floorDivided(by: 86_400).quotient).year
            year += thisYear - thisYear % 100
            if year > thisYear + 50 { year -= 100 }
        }
        return seconds(year, month, day, time)
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func parseAsctime(_ reader: inout DateReader) -> Int? {
        guard let month = reader.month(monthNames), reader.skip(" ") else { return nil }
        guard let day = reader.skip(" ") ? reader.number(digits: 1) : reader.number(digits: 2), reader.skip(" ") else {
            return nil
        }
        guard let time = reader.time(), reader.skip(" "), let year = reader.number(digits: 4), reader.isAtEnd else {
            return nil
        }
        return seconds(year, month, day, time)
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int? {
        let date = CivilDate(year: year, month: month, day: day)
        return date.isReal ? date.dayNumber * 86_400 + time : nil
    }
}

/// Reads a date from left to right.
private struct DateReader {
    private let text: UnsafeRawBufferPointer
    private let ignoringCase: Bool
    private var position = 0

    init(_ text: UnsafeRawBufferPointer, ignoringCase: Bool) {
        self.text = text
        self.ignoringCase = ignoringCase
    }

    private func isNext(_ expected: UnsafeRawBufferPointer) -> Bool {
        guard position + expected.count <= text.count else { return false }
        let part = text.part(position, position + expected.count)
        return ignoringCase ? part.equalsIgnoringCase(expected) : part.equals(expected)
    }

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ expected: StaticString) -> Bool {
        let expected = UnsafeRawBufferPointer(expected)
        guard isNext(expected) else { return false }
        position += expected.count
        return true
    }

    /// Letters only: a recipient need not check that the day of the week is right.
    mutating func skipDayName() -> Bool {
        let start = position
        while position < text.count, text[position].lowercased &- 0x61 < 26 { position += 1 }
        return (3...9).contains(position - start)
    }

    mutating func number(digits: Int) -> Int? {
        guard position + digits <= text.count else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard text[position].isDigit else { return nil }
            value = value * 10 + Int(text[position] &- 0x30)
            position += 1
        }
        return value
    }

    mutating func month(_ names: StaticString) -> Int? {
        guard position + 3 <= text.count else { return nil }
        for month in 0..<12 {
            let expected = UnsafeRawBufferPointer(start: names.utf8Start + month * 3, count: 3)
            if isNext(expected) {
                position += 3
                return month + 1
            }
        }
        return nil
    }

    /// `08:49:37`, a leap second included, in seconds.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
