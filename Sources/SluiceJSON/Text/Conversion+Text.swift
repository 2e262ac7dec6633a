import SluiceContract

extension Conversion {
    /// - Parameter text: the text of a number, or of a string without quotes and escapes, that its type accepts.
    /// - Returns: the JSON that is emitted; nil if the text cannot be converted.
    func json(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch self {
        case .quote: return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        case .unquote: return Array(text)
        case .secondsToDate: return Self.milliseconds(text, perUnit: 1000).flatMap(Self.date)
        case .millisecondsToDate: return Self.milliseconds(text, perUnit: 1).flatMap(Self.date)
        case .dateToSeconds:
            let milliseconds = DateText.milliseconds(text)
            let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
            if rest == 0 { return Array(String(seconds).utf8) }
            let digits = String(rest.magnitude)
            let fraction = String(repeating: "0", count: 3 - digits.utf8.count) + digits
            return Array("\(milliseconds < 0 ? "-" : "")\(seconds.magnitude).\(fraction)".utf8)
        case .dateToMilliseconds: return Array(String(DateText.milliseconds(text)).utf8)
        }
    }

    // MARK: Dates

    /// The milliseconds of the years 1 to 9999, which RFC 3339 can write.
    private static let milliseconds = -62_135_596_800_000...253_402_300_799_999

    private static func milliseconds(_ text: UnsafeBufferPointer<UInt8>, perUnit: Int) -> Int? {
        let whole = String(decoding: text, as: UTF8.self)
        if let units = Int(whole) {
            let (product, overflows) = units.multipliedReportingOverflow(by: perUnit)
            return !overflows && milliseconds.contains(product) ? product : nil
        }
        guard let value = Double(whole).map({ ($0 * Double(perUnit)).rounded() }), value.magnitude < 1e15 else {
            return nil
        }
        return milliseconds.contains(Int(value)) ? Int(value) : nil
    }

    /// The date in UTC, with milliseconds if they are not 0.
    private static func date(_ milliseconds: Int) -> [UInt8] {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
        }
        let (days, rest) = milliseconds.floorDivided(by: 86_400_000)
        let date = CivilDate(day: days)
        var text = "\"\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
        text += "T\(padded(rest / 3_600_000, 2))"
        text += ":\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))"
        if rest % 1000 != 0 { text += ".\(padded(rest % 1000, 3))" }
        return Array((text + "Z\"").utf8)
    }
}
