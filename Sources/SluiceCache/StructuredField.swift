/// A strict parser of structured fields (RFC 9651 §4.2): a field with any error is ignored as a whole.
struct StructuredField {
    enum Item: Equatable {
        case integer(Int)
        case decimal
        case string([UInt8])
        case token([UInt8])
        case bytes
        case boolean(Bool)
        /// A date or a display string, which no field here uses.
        case other
        case innerList([Item])
    }

    struct Member: Equatable {
        var key: [UInt8]
        var value: Item
    }

    private let text: [UInt8]
    private var place = 0

    private init(_ text: [UInt8]) {
        self.text = text
    }

    /// A dictionary; the last of several members with one key counts (RFC 9651 §4.2.2). nil where it does not parse.
    static func dictionary(_ text: [UInt8]) -> [Member]? {
        var parser = StructuredField(text)
        var members: [Member] = []
        let parsed = parser.elements { parser in
            guard let key = parser.key() else { return false }
            var value = Item.boolean(true)
            if parser.take("=") {
                guard let item = parser.itemOrInnerList() else { return false }
                value = item
            }
            guard parser.parameters() else { return false }
            members.append(Member(key: key, value: value))
            return true
        }
        guard parsed else { return nil }
        // In one pass, because the upstream chooses the number of members.
        var seen: Set<[UInt8]> = []
        let last = members.reversed().filter { seen.insert($0.key).inserted }
        return Array(last.reversed())
    }

    /// A list (RFC 9651 §4.2.1); nil where it does not parse.
    static func list(_ text: [UInt8]) -> [Item]? {
        var parser = StructuredField(text)
        var items: [Item] = []
        let parsed = parser.elements { parser in
            guard let item = parser.itemOrInnerList(), parser.parameters() else { return false }
            items.append(item)
            return true
        }
        return parsed ? items : nil
    }

    private mutating func elements(_ element: (inout StructuredField) -> Bool) -> Bool {
        skip { $0 == 0x20 }
        if isAtEnd { return true }
        while true {
            guard element(&self) else { return false }
            skip { $0 == 0x20 || $0 == 0x09 }
            if isAtEnd { return true }
            guard take(",") else { return false }
            skip { $0 == 0x20 || $0 == 0x09 }
            if isAtEnd { return false }
        }
    }

    private var isAtEnd: Bool { place == text.count }
    private var next: UInt8? { place < text.count ? text[place] : nil }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { place += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        guard next == character.asciiValue else { return false }
        place += 1
        return true
    }

    private mutating func run(_ belongs: (UInt8) -> Bool) -> [UInt8] {
        let start = place
        skip(belongs)
        return Array(text[start..<place])
    }

    private mutating func key() -> [UInt8]? {
        guard let first = next, first.isLower || first == UInt8(ascii: "*") else { return nil }
        return run { $0.isLower || $0.isDecimal || "_-.*".utf8.contains($0) }
    }

    private mutating func parameters() -> Bool {
        while take(";") {
            skip { $0 == 0x20 }
            guard key() != nil else { return false }
            if take("="), bareItem() == nil { return false }
        }
        return true
    }

    private mutating func itemOrInnerList() -> Item? {
        guard take("(") else { return bareItem() }
        var items: [Item] = []
        while true {
            skip { $0 == 0x20 }
            if take(")") { return .innerList(items) }
            guard let item = bareItem(), parameters() else { return nil }
            items.append(item)
            guard next == 0x20 || next == UInt8(ascii: ")") else { return nil }
        }
    }

    private mutating func bareItem() -> Item? {
        guard let first = next else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: ":"): return byteSequence()
        case UInt8(ascii: "?"):
            place += 1
            if take("1") { return .boolean(true) }
            return take("0") ? .boolean(false) : nil
        case UInt8(ascii: "@"):
            place += 1
            return number() == nil ? nil : .other
        case _ where first == UInt8(ascii: "-") || first.isDecimal: return number()
        case _ where first.isAlpha || first == UInt8(ascii: "*"):
            return .token(run { $0.isAlpha || $0.isDecimal || "!#$%&'*+-.^_`|~:/".utf8.contains($0) })
        default: return nil
        }
    }

    private mutating func number() -> Item? {
        let isNegative = take("-")
        let digits = run { $0.isDecimal }
        guard digits.count > 0 else { return nil }
        if take(".") {
            let fraction = run { $0.isDecimal }
            return digits.count <= 12 && (1...3).contains(fraction.count) ? .decimal : nil
        }
        guard digits.count <= 15 else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        return .integer(isNegative ? -value : value)
    }

    private mutating func string() -> Item? {
        place += 1
        var value: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return .string(value)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    return nil
                }
                place += 1
                value.append(escaped)
            case 0x20...0x7e: value.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private mutating func byteSequence() -> Item? {
        place += 1
        skip { $0.isAlpha || $0.isDecimal || "+/=".utf8.contains($0) }
        return take(":") ? .bytes : nil
    }
}

extension UInt8 {
    fileprivate var isLower: Bool { self &- 0x61 < 26 }
    fileprivate var isAlpha: Bool { (self | 0x20) &- 0x61 < 26 }
    fileprivate var isDecimal: Bool { self &- 0x30 < 10 }
}
