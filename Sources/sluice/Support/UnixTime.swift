internal import SluiceContract

/// Times for people: `2026-01-31 12:00 UTC`.
enum UnixTime {
    /// - Parameter seconds: since 1970.
    static func text(_ seconds: Int) -> String { "\(minute(seconds)) UTC" }

    /// The same with its seconds, for what may last no longer: `2026-01-31 12:00:07 UTC`.
    static func exactText(_ seconds: Int) -> String { "\(minute(seconds)):\(digits(seconds % 60)) UTC" }

    private static func minute(_ seconds: Int) -> String {
        let date = CivilDate(day: seconds / 86_400)
        let minutes = seconds % 86_400 / 60
        return "\(date.year)-\(digits(date.month))-\(digits(date.day)) "
            + "\(digits(minutes / 60)):\(digits(minutes % 60))"
    }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
