#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Wall-clock time as RFC 3339 writes it.
public enum Timestamp {
    /// CLOCK_REALTIME in milliseconds since 1970.
    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Appends `2026-11-21T10:05:01.042Z`.
    public static func append(milliseconds: Int64, to bytes: inout [UInt8]) {
        let (second, millisecond) = floorDivide(milliseconds, by: 1000)
        let (day, secondOfDay) = floorDivide(second, by: 86400)
        let date = civilDate(daysSince1970: day)
        append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(secondOfDay / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(secondOfDay % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(millisecond, digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// The proleptic Gregorian date, counted in eras of 400 years that begin in March, so that the leap day is last.
    static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
