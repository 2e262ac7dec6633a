internal import SluiceContract

extension DateText {
    /// Seconds since 1970, rounded down; nil if the text is not a date.
    public static func seconds(_ text: String, mayBeLocal: Bool = false) -> Int? {
        var text = text
        return text.withUTF8 { characters in
            guard isDate(characters, mayBeLocal: mayBeLocal) else { return nil }
            return milliseconds(characters).floorDivided(by: 1000).quotient
        }
    }

    /// - Parameter text: a text that ``isDate(_:mayBeLocal:)`` accepts; without an offset it is taken as UTC.
    /// - Returns: milliseconds since 1970.
    static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int {
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
        var result = CivilDate(year: year, month: month, day: number(2)).dayNumber * 86_400_000
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
