internal import SluiceContract

/// Durations (`250ms 10s 5m 1h 1d`) and sizes (`64KiB 1MiB`) of the configuration.
package enum Quantity {
    private static let durationUnits: [(unit: String, milliseconds: Int)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]
    /// A hundred years: what is longer is a slip, and would overflow a count of nanoseconds.
    private static let millisecondsMax = 36_500 * 86_400_000
    package static let durationMax = Duration.milliseconds(millisecondsMax)
    /// Nothing included.
    package static let durations = Duration.zero...durationMax
    /// At least something.
    package static let waits = Duration.nanoseconds(1)...durationMax
    private static let sizes: [(unit: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
    ]

    package static func duration(_ text: String) -> Duration? {
        guard let milliseconds = quantity(text, units: durationUnits.map { ($0.unit, $0.milliseconds) }) else {
            return nil
        }
        return milliseconds <= millisecondsMax ? .milliseconds(milliseconds) : nil
    }

    package static func bytes(_ text: String) -> Int? {
        quantity(text, units: sizes.map { ($0.unit, $0.bytes) })
    }

    /// `0`, or digits and a unit; nothing that overflows.
    private static func quantity(_ text: String, units: [(unit: String, factor: Int)]) -> Int? {
        if text == "0" { return 0 }
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let number = Int(Substring(digits)) else { return nil }
        let unit = text.dropFirst(digits.count)
        guard let factor = units.first(where: { $0.unit == unit })?.factor else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// A duration as it may have been meant: `10`, `10 seconds`, `1.5s`, `2min`.
    package static func nearestDuration(_ text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits), number < 1e9 else { return nil }
        let word = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        let unit: String
        switch word {
        case "", "s", "sec", "secs", "second", "seconds": unit = "s"
        case "ms", "msec", "millis", "millisecond", "milliseconds": unit = "ms"
        case "m", "min", "mins", "minute", "minutes": unit = "m"
        case "h", "hr", "hrs", "hour", "hours": unit = "h"
        case "d", "day", "days": unit = "d"
        default: return nil
        }
        let factor = durationUnits.first { $0.unit == unit }?.milliseconds ?? 1
        let milliseconds = Int((number * Double(factor)).rounded())
        guard milliseconds <= millisecondsMax else { return nil }
        return number == number.rounded() ? "\(Int(number))\(unit)" : self.text(.milliseconds(milliseconds))
    }

    /// Percentages for the schema.
    package static let percentPattern = "^[0-9]{1,3}%$"

    /// `20%`.
    package static func percent(_ text: String) -> Int? {
        guard text.hasSuffix("%"), text.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text.dropLast())
    }

    /// A size as it may have been meant: `64k`, `1MB`, `64 KiB`, `4096`.
    package static func nearestSize(_ text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        switch unit {
        case "": return "\(digits)B"
        case "k", "kb", "ki", "kib": return "\(digits)KiB"
        case "m", "mb", "mi", "mib": return "\(digits)MiB"
        case "g", "gb", "gi", "gib": return "\(digits)GiB"
        default: return nil
        }
    }

    /// With the largest unit that divides it.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        // As milliseconds it could overflow; a declaration in Swift may say `.seconds(.max)`.
        if seconds.magnitude > millisecondsMax { return "\(seconds)s" }
        // Rounded up, because none at all is something else.
        let milliseconds = Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return text(milliseconds, units: durationUnits.map { ($0.unit, $0.milliseconds) })
    }

    package static func text(bytes: Int) -> String {
        text(bytes, units: sizes.map { ($0.unit, $0.bytes) })
    }

    private static func text(_ number: Int, units: [(unit: String, factor: Int)]) -> String {
        if number == 0 { return "0" }
        for (unit, factor) in units where number % factor == 0 { return "\(number / factor)\(unit)" }
        return String(number)
    }

    /// What a message wants in the place of a number.
    package static func expected(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max
            ? "a whole number from \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    package static func expectedPercent(_ range: ClosedRange<Int>) -> String {
        "a percentage from \(range.lowerBound)% to \(range.upperBound)%"
    }
}
