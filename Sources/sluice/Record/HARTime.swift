internal import SluiceContract

/// Times of an archive: `2026-01-31T12:00:00.123Z`, or with an offset.
enum HARTime {
    /// - Parameter milliseconds: since 1970.
    static func text(_ milliseconds: Int64) -> String {
        let seconds = Int(milliseconds / 1000)
        let date = CivilDate(day: seconds / 86_400)
        let time = seconds % 86_400
        func digits(_ number: Int, _ count: Int) -> String {
            String(String(1_000_000 + number).suffix(count))
        }
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
            + "T\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
            + ".\(digits(Int(milliseconds % 1000), 3))Z"
    }

    /// Milliseconds since 1970; nil where the text is no time.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") else { return nil }
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start + count <= bytes.count, bytes[start..<start + count].allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return Int(String(decoding: bytes[start..<start + count], as: UTF8.self))
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isReal, hour < 24, minute < 60, second < 61 else { return nil }
        var seconds = date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second
        var thousandths = 0
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            let padded = String(decoding: digits.prefix(3), as: UTF8.self) + String(repeating: "0", count: 3)
            thousandths = Int(padded.prefix(3)) ?? 0
            rest = rest.dropFirst(1 + digits.count)
        }
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            guard let hours = number(rest.startIndex + 1, 2), let minutes = number(rest.startIndex + 4, 2) else {
                return nil
            }
            seconds -= (sign == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60)
        }
        return Int64(seconds) * 1000 + Int64(thousandths)
    }
}
