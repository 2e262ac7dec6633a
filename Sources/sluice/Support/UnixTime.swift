internal import SluiceContract

/// Times for people: `2026-01-31 12:00 UTC`.
enum UnixTime {
    /// - Parameter seconds: since 1970.
    static func text(_ seconds: Int) -> String {
        let date = CivilDate(day: seconds / 86_400)
        let minutes = seconds % 86_400 / 60
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(digits(date.month))-\(digits(date.day)) "
            + "\(digits(minutes / 60)):\(digits(minutes % 60)) UTC"
    }
}
