/// Parses a regular expression: characters, `.`, classes, groups, `|`, `* + ? {m,n}`, `^` and `$`. Syntax that cannot
/// be matched in one pass, or that means something else in every other engine, is refused.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var next = 0
    private var depth = 0

    private static let depthMost = 50
    private static let repeatMost = 1000

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    static func parse(_ text: String) throws(TextPattern.Malformed) -> PatternSyntax {
        var parser = PatternParser(text)
        let syntax = try parser.alternatives()
        if let rest = parser.peek {
            throw parser.malformed("'\(rest)' closes nothing", "'\\\(rest)' for the character")
        }
        return syntax
    }

    private var peek: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        next += 1
        return true
    }

    private func malformed(_ message: String, _ expected: String) -> TextPattern.Malformed {
        TextPattern.Malformed(message: message, expected: expected)
    }

    private mutating func alternatives() throws(TextPattern.Malformed) -> PatternSyntax {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthMost {
            throw malformed("groups are nested too deeply", "at most \(Self.depthMost) levels")
        }
        var list = [try sequence()]
        while take("|") { list.append(try sequence()) }
        return list.count == 1 ? list[0] : .alternatives(list)
    }

    private mutating func sequence() throws(TextPattern.Malformed) -> PatternSyntax {
        var list: [PatternSyntax] = []
        while let scalar = peek, scalar != "|", scalar != ")" { list.append(try quantified()) }
        return list.isEmpty ? .empty : list.count == 1 ? list[0] : .sequence(list)
    }

    private mutating func quantified() throws(TextPattern.Malformed) -> PatternSyntax {
        var syntax = try atom()
        var isQuantified = false
        while let scalar = peek {
            let (min, max): (Int, Int?)
            switch scalar {
            case "*": (min, max) = (0, nil)
            case "+": (min, max) = (1, nil)
            case "?": (min, max) = (0, 1)
            case "{": (min, max) = try counts()
            default: return syntax
            }
            if isQuantified {
                throw malformed(
                    "'\(scalar)' stands behind another quantifier",
                    "one of * + ? {m,n}: what matches is found in every way, so '?' behind it means nothing")
            }
            if syntax == .start || syntax == .end {
                throw malformed("'\(scalar)' has nothing to repeat", "a character, a class or a group before it")
            }
            if scalar != "{" { next += 1 }
            syntax = .repeated(syntax, min: min, max: max)
            isQuantified = true
        }
        return syntax
    }

    /// `{m}`, `{m,}` and `{m,n}`.
    private mutating func counts() throws(TextPattern.Malformed) -> (Int, Int?) {
        let before = next
        next += 1
        let min = number()
        var max = min
        if take(",") { max = number() }
        guard let min, take("}") else {
            next = before
            throw malformed("'{' begins no count", "{2}, {2,} or {2,5}; '\\{' for the character")
        }
        if let max, max < min { throw malformed("{\(min),\(max)} is empty", "the smaller number first") }
        if Swift.max(min, max ?? 0) > Self.repeatMost {
            throw malformed("{\(Swift.max(min, max ?? 0))} repeats too often", "at most \(Self.repeatMost) times")
        }
        return (min, max)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = peek, let digit = Int(String(scalar)), (value ?? 0) < 1_000_000 {
            value = (value ?? 0) * 10 + digit
            next += 1
        }
        return value
    }

    private mutating func atom() throws(TextPattern.Malformed) -> PatternSyntax {
        guard let scalar = peek else { return .empty }
        next += 1
        switch scalar {
        case "^": return .start
        case "$": return .end
        case ".": return .one(of: ScalarSet.newline.inverted)
        case "[": return .one(of: try characterClass())
        case "(": return try group()
        case "\\": return .one(of: try escape())
        case "*", "+", "?": throw malformed("'\(scalar)' has nothing to repeat", "'\\\(scalar)' for the character")
        case "{": throw malformed("'{' has nothing to repeat", "'\\{' for the character")
        default: return .one(of: ScalarSet([scalar.value...scalar.value]))
        }
    }

    private mutating func group() throws(TextPattern.Malformed) -> PatternSyntax {
        if take("?"), !take(":") {
            let rest = String(String.UnicodeScalarView(scalars[next...].prefix(2)))
            let isLook = rest.hasPrefix("=") || rest.hasPrefix("!") || rest == "<=" || rest == "<!"
            throw malformed(
                isLook ? "'(?\(rest.prefix(1))' looks around, which one pass cannot" : "'(?' begins no group",
                "(…) or (?:…)")
        }
        let syntax = try alternatives()
        guard take(")") else { throw malformed("a group is open", "')'") }
        return syntax
    }

    private mutating func escape() throws(TextPattern.Malformed) -> ScalarSet {
        guard let scalar = peek else { throw malformed("'\\' stands alone at the end", "'\\\\' for the character") }
        next += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .word
        case "W": return ScalarSet.word.inverted
        case "s": return .space
        case "S": return ScalarSet.space.inverted
        case "n": return .newline
        case "t": return ScalarSet([0x09...0x09])
        case "r": return ScalarSet([0x0D...0x0D])
        case "u": return try unicode()
        case "1"..."9": throw malformed("'\\\(scalar)' refers back, which one pass cannot", "the group written out")
        case "b", "B", "A", "Z", "z", "G":
            throw malformed("'\\\(scalar)' matches no character", "^ and $ for the ends of the text")
        case "a"..."z", "A"..."Z", "0":
            throw malformed("'\\\(scalar)' is not known here", "\\d \\w \\s \\D \\W \\S \\n \\r \\t \\u00e9")
        default: return ScalarSet([scalar.value...scalar.value])
        }
    }

    /// `\u00e9` and `\u{1F34E}`.
    private mutating func unicode() throws(TextPattern.Malformed) -> ScalarSet {
        let isBraced = take("{")
        var digits = ""
        while let scalar = peek, scalar.properties.isASCIIHexDigit, digits.count < (isBraced ? 6 : 4) {
            digits.unicodeScalars.append(scalar)
            next += 1
        }
        let isWhole = isBraced ? take("}") : digits.count == 4
        guard isWhole, let value = UInt32(digits, radix: 16), Unicode.Scalar(value) != nil else {
            throw malformed("'\\u' names no character", "\\u00e9 or \\u{1F34E}")
        }
        return ScalarSet([value...value])
    }

    /// A class, from behind its `[` on.
    private mutating func characterClass() throws(TextPattern.Malformed) -> ScalarSet {
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = peek, scalar != "]" || isFirst {
            if scalar == "]" {
                throw malformed("the class is empty", "characters between [ and ]; '\\]' for the character")
            }
            if scalar == "[" { throw malformed("'[' stands in a class", "'\\[' for the character") }
            isFirst = false
            next += 1
            let from = scalar == "\\" ? try escape() : ScalarSet([scalar.value...scalar.value])
            guard peek == "-", next + 1 < scalars.count, scalars[next + 1] != "]" else {
                ranges += from.ranges
                continue
            }
            next += 1
            let last = scalars[next]
            next += 1
            let to = last == "\\" ? try escape() : ScalarSet([last.value...last.value])
            guard let low = from.single, let high = to.single, low <= high else {
                throw malformed("a range of a class has no order", "the smaller character first, such as a-z")
            }
            ranges.append(low...high)
        }
        guard take("]") else { throw malformed("a class is open", "']'") }
        return isInverted ? ScalarSet(ranges).inverted : ScalarSet(ranges)
    }
}

extension ScalarSet {
    /// The only scalar of the set; nil if it has none or several.
    fileprivate var single: UInt32? {
        guard ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }
}
