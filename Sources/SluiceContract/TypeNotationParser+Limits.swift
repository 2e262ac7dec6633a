/// What stands in parentheses behind a type: `(1...100)`, `(/^[a-z]+$/)`, `(0...50, unique)`, `(string)`.
extension TypeNotationParser {
    /// What a range counts.
    enum Counted {
        case integers, numbers
        /// The code points of a string.
        case length
        case elements
    }

    /// The parenthesis behind a name has been taken.
    mutating func parenthesized(_ word: String, at start: Int) throws(TypeNotation.Malformed) -> TypeExpression {
        let known = Scalar.names.first { $0.name == word }?.scalar
        if let quoted = Scalar.Quoted(rawValue: word), takeWord("string") {
            guard take(")") else { throw malformed("a parenthesis is open", expected: "')'") }
            return .scalar(.quoted(quoted))
        }
        switch known {
        case .string: return .constrained(.scalar(.string), try constraint(on: .length))
        case .double, .decimal:
            return .constrained(.scalar(known ?? .double), try constraint(on: .numbers))
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
            return .constrained(.scalar(known ?? .int), try constraint(on: .integers))
        default:
            throw malformed(
                "'\(word)' takes nothing in parentheses",
                expected: "a range behind a number, a string or an array, such as Int(1...100); a format behind Date",
                suggestion: word == "Bool" ? "Bool(string)" : nil, at: start)
        }
    }

    /// Up to the closing parenthesis.
    mutating func constraint(on counted: Counted) throws(TypeNotation.Malformed) -> Constraint {
        var constraint = Constraint()
        repeat {
            skipBlanks()
            let place = offset
            if counted == .length, take("/") {
                if constraint.pattern != nil { throw twice("a pattern", at: place) }
                constraint.pattern = try pattern(at: place)
            } else if counted == .elements, takeWord("unique") {
                constraint.isUnique = true
            } else {
                let range = try range(counted, at: place)
                if let earlier = constraint.range {
                    let isPair = earlier.lower == earlier.upper && range.lower == range.upper
                    let meant = isPair ? "\(earlier.lower ?? "")...\(range.upper ?? "")" : nil
                    throw twice("a range", at: place, suggestion: meant)
                }
                constraint.range = range
            }
        } while take(",")
        guard take(")") else { throw malformed("a parenthesis is open", expected: "')'") }
        return constraint
    }

    private func twice(_ what: String, at place: Int, suggestion: String? = nil) -> TypeNotation.Malformed {
        malformed("\(what) stands twice", expected: "one of each", suggestion: suggestion, at: place)
    }

    private mutating func takeWord(_ wanted: String) -> Bool {
        let before = offset
        skipBlanks()
        if word() == wanted { return true }
        offset = before
        return false
    }

    // MARK: Conversions

    /// The arrow has been taken.
    mutating func converted(_ type: TypeExpression, at start: Int) throws(TypeNotation.Malformed) -> TypeExpression {
        let target = try primary()
        guard case .scalar(let from) = type, case .scalar(let to) = target, Conversion(from: from, to: to) != nil else {
            throw malformed(
                "nothing leads from \(type) to \(target)",
                expected:
                    "such as Date(seconds) -> Date, Int(string) -> Int, Decimal(string) -> Decimal, Int -> String",
                suggestion: type == .scalar(.string) ? "\(target)(string) -> \(target)" : nil, at: start)
        }
        return .converted(from, to)
    }

    // MARK: Ranges

    private mutating func range(
        _ counted: Counted, at place: Int
    ) throws(TypeNotation.Malformed) -> Constraint.Range {
        let lower = number()
        var range = Constraint.Range(lower, lower)
        if takeText("..<") {
            range.excludesUpper = true
            range.upper = number()
        } else if takeText("...") || takeText("…") {
            range.upper = number()
        }
        skipBlanks()
        if offset == bytes.count, offset > place, range.lower ?? range.upper != nil {
            throw malformed("a parenthesis is open", expected: "')'")
        }
        let isWhole = offset < bytes.count && [UInt8(ascii: ")"), UInt8(ascii: ",")].contains(bytes[offset])
        guard isWhole, range.lower ?? range.upper != nil, !range.excludesUpper || range.upper != nil else {
            throw noRange(counted, at: place)
        }
        // A single number is a length; for a value, a literal says the same.
        if range.lower == range.upper, !range.excludesUpper, counted == .integers || counted == .numbers {
            let number = range.lower ?? ""
            throw malformed(
                "'\(number)' is no range", expected: "bounds such as 1...100, or \(number) alone for this one number",
                at: place)
        }
        try check(range, counted, at: place)
        return range
    }

    private func check(
        _ range: Constraint.Range, _ counted: Counted, at place: Int
    ) throws(TypeNotation.Malformed) {
        for bound in [range.lower, range.upper].compactMap(\.self) {
            let isWhole = bound.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
            if counted != .numbers, !isWhole {
                throw malformed("'\(bound)' is no whole number", expected: "whole numbers as bounds", at: place)
            }
            if counted == .length || counted == .elements, bound.hasPrefix("-") {
                let what = counted == .length ? "length" : "count"
                throw malformed("no \(what) is below 0", expected: "bounds from 0 on, such as 1...80", at: place)
            }
        }
        guard let lower = range.lower, let upper = range.upper else { return }
        let order = DecimalText.order(lower, upper)
        if order > 0 || (order == 0 && range.excludesUpper) {
            throw malformed(
                "nothing is in the range \(range)", expected: "the smaller bound first",
                suggestion: order > 0 ? "\(upper)...\(lower)" : "\(lower)...\(upper)", at: place)
        }
    }

    /// `1..100`, `1-100`, `min: 1` and `>0` as the notation has them.
    private mutating func noRange(_ counted: Counted, at place: Int) -> TypeNotation.Malformed {
        offset = place
        while offset < bytes.count, bytes[offset] != UInt8(ascii: ")") { offset += 1 }
        let text = String(decoding: bytes[place..<offset], as: UTF8.self)
        func numbers(_ text: Substring) -> [String] {
            text.split { !($0.isASCII && $0.isNumber) && $0 != "." }.map(String.init)
                .filter { DecimalText.isNumber($0) }
        }
        var meant: String?
        let found =
            text.contains("..")
            ? text.replacing("..", with: " ").split(separator: " ").flatMap { numbers($0) }
            : numbers(text[...])
        let word = text.lowercased()
        if found.count == 2 {
            meant = "\(found[0])...\(found[1])"
        } else if found.count == 1, word.contains("max") || word.hasPrefix("<=") {
            meant = "...\(found[0])"
        } else if found.count == 1, word.contains("min") || word.hasPrefix(">=") {
            meant = "\(found[0])..."
        } else if counted == .length, text.hasPrefix("^") || text.hasSuffix("$") {
            meant = "/\(text)/"
        } else if counted == .integers || counted == .numbers, ["text", "str", "quoted"].contains(word) {
            meant = "string"
        }
        let other =
            switch counted {
            case .length: ", or a pattern such as /^[a-z]+$/"
            case .elements: ", or unique"
            case .integers, .numbers: ""
            }
        return malformed(
            text.isEmpty ? "the parentheses are empty" : "'\(text)' is no range",
            expected: "bounds such as 1...100, 1... or ...100" + other, suggestion: meant, at: place)
    }

    mutating func takeText(_ text: String) -> Bool {
        skipBlanks()
        guard bytes[offset...].starts(with: text.utf8) else { return false }
        offset += text.utf8.count
        return true
    }

    /// A number as JSON writes it; a point that begins a range is none of it.
    private mutating func number() -> String? {
        skipBlanks()
        var end = offset
        func digits() { while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 } }
        if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
        digits()
        if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), (0x30...0x39).contains(bytes[end + 1]) {
            end += 1
            digits()
        }
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(bytes[end]) { end += 1 }
            digits()
        }
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        guard DecimalText.isNumber(text) else { return nil }
        offset = end
        return text
    }

    // MARK: Patterns

    /// From behind the first `/` to behind the last; a `/` inside has a `\` before it, and one in a class needs none.
    private mutating func pattern(at place: Int) throws(TypeNotation.Malformed) -> String {
        let start = offset
        var isInClass = false
        while offset < bytes.count, isInClass || bytes[offset] != UInt8(ascii: "/") {
            switch bytes[offset] {
            case UInt8(ascii: "\\"): offset += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            offset += 1
        }
        guard offset < bytes.count else { throw malformed("a pattern is open", expected: "'/' behind it", at: place) }
        let pattern = String(decoding: bytes[start..<offset], as: UTF8.self)
        offset += 1
        let flags = word()
        if !flags.isEmpty {
            throw malformed(
                "'\(flags)' behind a pattern means nothing here",
                expected: "a pattern without flags: [Aa] for both cases",
                at: offset - flags.utf8.count)
        }
        if pattern.isEmpty { throw malformed("the pattern is empty", expected: "such as /^[a-z]+$/", at: place) }
        return pattern
    }
}
