internal import SluiceContract

/// The time at which something expires, as APIs write it: seconds from now on, seconds or milliseconds since 1970, or a
/// date.
public enum ExpiryText {
    /// Smaller numbers are lifetimes in seconds, larger ones times since 1970.
    private static let lifetimeMax: Double = 1_000_000_000
    /// Smaller numbers are seconds since 1970, larger ones milliseconds.
    private static let secondsMax: Double = 100_000_000_000
    /// The year 9999.
    private static let endMax: Double = 253_402_300_799

    /// - Parameters:
    ///   - json: a number, or a string with a number or a date.
    ///   - now: seconds since 1970.
    /// - Returns: seconds since 1970; nil if `json` is neither, or is not above 0, which APIs use for no expiry.
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
