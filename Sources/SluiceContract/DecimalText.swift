/// Numbers as JSON writes them (RFC 8259 §6), compared by their digits: exactly, however many there are.
public enum DecimalText {
    /// Whether the text is one number and nothing else.
    public static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take("-")
        let leadsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        if whole == 0 || (leadsWithZero && whole > 1) { return false }
        if take("."), digits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }

    /// - Returns: below, equal to or above 0, as the first number is to the second.
    public static func order(_ number: UnsafeBufferPointer<UInt8>, _ other: String) -> Int {
        var other = other
        return other.withUTF8 { order(Number(number), Number($0)) }
    }

    public static func order(_ number: String, _ other: String) -> Int {
        var number = number
        return number.withUTF8 { order($0, other) }
    }

    private static func order(_ a: Number, _ b: Number) -> Int {
        if a.sign != b.sign { return a.sign < b.sign ? -1 : 1 }
        if a.sign == 0 { return 0 }
        if a.places != b.places { return a.places < b.places ? -a.sign : a.sign }
        for index in 0..<max(a.significant, b.significant) {
            let (x, y) = (a.digit(index), b.digit(index))
            if x != y { return x < y ? -a.sign : a.sign }
        }
        return 0
    }

    /// A number taken apart, without a copy.
    private struct Number {
        private let text: UnsafeBufferPointer<UInt8>
        /// -1, 0 or 1.
        private(set) var sign = 1
        /// Where the first digit stands that is not 0, where the last digit does, and where the point is, if any.
        private var first = 0
        private var end = 0
        private var point: Int?
        /// Digits from the first one on, up to the end.
        private(set) var significant = 0
        /// How many digits stand before the point where no exponent is written; negative where zeros follow it.
        private(set) var places = 0

        init(_ text: UnsafeBufferPointer<UInt8>) {
            self.text = text
            var index = 0
            if text.first == UInt8(ascii: "-") {
                sign = -1
                index = 1
            }
            let start = index
            while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
                if text[index] == UInt8(ascii: ".") { point = index }
                index += 1
            }
            end = index
            first = start
            while first < end, text[first] == UInt8(ascii: "0") || text[first] == UInt8(ascii: ".") { first += 1 }
            if first == end {
                sign = 0
                return
            }
            significant = end - first - ((point.map { $0 > first } ?? false) ? 1 : 0)
            let whole = point ?? end
            places = whole > first ? whole - first : whole + 1 - first
            places = places.addingReportingOverflow(exponent(from: end)).partialValue
        }

        /// Exponents beyond all sense are as good as infinite.
        private func exponent(from start: Int) -> Int {
            guard start < text.count else { return 0 }
            var index = start + 1
            var isNegative = false
            if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
                isNegative = text[index] == UInt8(ascii: "-")
                index += 1
            }
            var value = 0
            while index < text.count, value < 1 << 40 {
                value = value * 10 + Int(text[index] & 15)
                index += 1
            }
            return isNegative ? -value : value
        }

        func digit(_ index: Int) -> UInt8 {
            guard index < significant else { return UInt8(ascii: "0") }
            var place = first + index
            if let point, point > first, place >= point { place += 1 }
            return text[place]
        }
    }
}
