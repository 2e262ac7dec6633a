internal import SluiceContract
internal import Glibc

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
        let (second, millisecond) = Int(milliseconds).floorDivided(by: 1000)
        let (day, secondOfDay) = second.floorDivided(by: 86_400)
        let date = CivilDate(day: day)
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

    private static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
