internal import SluiceContract

/// When something ends, as APIs say it: seconds from now on, seconds or milliseconds since 1970, or a date.
public enum ExpiryText {
    /// Of no life that is told in seconds, and of no time since 1970 that is to come, is this the number.
    private static let lifetimeMax: Double = 1_000_000_000
    /// Seconds since 1970 are fewer, milliseconds more.
    private static let secondsMax: Double = 100_000_000_000
    /// The year 9999.
    private static let endMax: Double = 253_402_300_799

    /// - Parameters:
    ///   - json: a number, or a string that holds one or a date.
    ///   - now: seconds since 1970.
    /// - Returns: seconds since 1970; nil where it is neither, and for what is not above 0, which APIs say of no end.
    public static func end(_ json: String, now: Int) -> Int? {
        let text = JSONText.unquote(json) ?? json
        if let number = Double(text) {
            guard number > 0, number.isFinite else { return nil }
            if number < lifetimeMax { return now + Int(number) }
            return Int(min(number < secondsMax ? number : number / 1000, endMax))
        }
        return DateText.seconds(text, mayBeLocal: true)
    }
}
