import SluiceContract

extension Conversion {
    /// - Parameter text: of a number, or of a string without quotes and escapes, that its type accepts.
    /// - Returns: the JSON that goes out; nil where there is none.
    func json(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        switch self {
        case .quote: return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        case .unquote: return Array(text)
        case .secondsToDate: return Self.milliseconds(text, perUnit: 1000).flatMap(Self.date)
        case .millisecondsToDate: return Self.milliseconds(text, perUnit: 1).flatMap(Self.date)
        case .dateToSeconds:
            return Self.milliseconds(ofDate: text).map { milliseconds in
                let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
                if rest == 0 { return Array(String(seconds).utf8) }
                let digits = String(rest.magnitude)
                let fraction = String(repeating: "0", count: 3 - digits.utf8.count) + digits
                return Array("\(milliseconds < 0 ? "-" : "")\(seconds.magnitude).\(fraction)".utf8)
            }
        case .dateToMilliseconds: return Self.milliseconds(ofDate: text).map { Array(String($0).utf8) }
        }
    }

    // MARK: Dates

    /// Years from 1 to 9999, which RFC 3339 can write.
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

    /// In UTC, with thousandths where there are any.
    private static func date(_ milliseconds: Int) -> [UInt8] {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
        }
        let days = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
        let rest = milliseconds - days * 86_400_000
        let (year, month, day) = civil(days)
        var text = "\"\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(rest / 3_600_000, 2))"
        text += ":\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))"
        if rest % 1000 != 0 { text += ".\(padded(rest % 1000, 3))" }
        return Array((text + "Z\"").utf8)
    }

    /// The date of a day since 1970 in the proleptic Gregorian calendar: years begin in March here, so that the leap
    /// day is the last one.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
    }

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// - Parameter text: what ``DateText`` takes for a date, or for date and time with an offset.
    private static func milliseconds(ofDate text: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        func number(_ count: Int) -> Int {
            defer { index += count }
            return (index..<min(index + count, text.count)).reduce(0) { $0 * 10 + Int(text[$1] & 15) }
        }
        func take(_ characters: String) -> Bool {
            guard index < text.count, characters.utf8.contains(text[index]) else { return false }
            index += 1
            return true
        }
        let year = number(4)
        index += 1
        let month = number(2)
        index += 1
        var result = days(year, month, number(2)) * 86_400_000
        guard index < text.count else { return result }
        index += 1
        result += number(2) * 3_600_000
        index += 1
        result += number(2) * 60_000
        if take(":") {
            result += number(2) * 1000
            if take(".") {
                var scale = 100
                while index < text.count, (0x30...0x39).contains(text[index]) {
                    result += Int(text[index] & 15) * scale
                    scale /= 10
                    index += 1
                }
            }
        }
        if take("Zz") || index >= text.count { return result }
        let sign = take("-") ? 1 : -1
        if sign < 0 { index += 1 }
        result += sign * number(2) * 3_600_000
        guard index < text.count else { return result }
        _ = take(":")
        return result + sign * number(2) * 60_000
    }
}
