internal import SluiceContract

/// Scalars with constraints.
extension ValueMaker {
    mutating func constrained(_ type: TypeExpression, _ constraint: Constraint, _ depth: Int) -> String? {
        let inner = types.resolved(type)
        let whole = TypeExpression.constrained(inner, constraint)
        let isText: Bool =
            switch inner {
            case .scalar(let scalar), .converted(_, let scalar): scalar.isQuotedText
            default: true
            }
        guard isText else { return number(whole, inner, constraint, depth) }
        if case .scalar(.string) = inner { return string(constraint, whole).map(JSONText.quote) }
        for _ in 0..<Self.guessesMax {
            guard let json = text(inner, depth), let plain = JSONText.unquote(json) else { return nil }
            if Self.takes(plain, whole) { return json }
            mood = chance.pick(Mood.allCases)
        }
        return nil
    }

    private static let guessesMax = 40

    private static func takes(_ text: String, _ type: TypeExpression) -> Bool {
        var text = text
        return text.withUTF8 { ScalarText.check(UnsafeRawBufferPointer($0), as: type) }
    }

    // MARK: - Numbers

    private mutating func number(
        _ whole: TypeExpression, _ inner: TypeExpression, _ constraint: Constraint, _ depth: Int
    ) -> String? {
        let bounds = [constraint.range?.lower, constraint.range?.upper].compactMap(\.self)
        var candidates: [String] = []
        switch mood {
        case .least: candidates = bounds
        case .most: candidates = bounds.reversed()
        case .strange: candidates = ["0", "1", "-1", "0.1"] + bounds
        case .usual: candidates = between(bounds)
        }
        candidates += between(bounds) + bounds + near(bounds)
        for _ in 0..<4 { candidates += [text(inner, depth)].compactMap(\.self) }
        return candidates.first { Self.takes($0, whole) }
    }

    /// Whole numbers and others between the bounds.
    private mutating func between(_ bounds: [String]) -> [String] {
        let ends = bounds.compactMap { Double($0) }.filter { abs($0) < 1e15 }
        guard let first = ends.first else { return [] }
        let (low, high) = ends.count > 1 ? (first, max(first, ends[1])) : (first - 1_000, first + 1_000)
        let value = Double.random(in: low...high, using: &chance)
        let hundredths = (value * 100).rounded(.towardZero) / 100
        return ["\(Int(value.rounded()))", "\(hundredths)", "\(value)"]
    }

    private func near(_ bounds: [String]) -> [String] {
        bounds.compactMap { Int($0) }.flatMap { ["\($0 &+ 1)", "\($0 &- 1)"] }
    }

    // MARK: - Texts

    private mutating func string(_ constraint: Constraint, _ whole: TypeExpression) -> String? {
        let least = constraint.range?.lower.flatMap { Int($0) } ?? 0
        let most = constraint.range.flatMap { $0.upper == nil ? nil : $0.greatestCount }
        guard least <= Self.lengthMax else { return nil }
        guard let pattern = constraint.pattern else {
            return Self.fitted(string(), least, mood == .most ? min(most ?? 200, Self.lengthMax) : most, mood)
        }
        guard let syntax = try? PatternParser.parse(pattern) else { return nil }
        for guess in 0..<Self.guessesMax {
            // Every fourth guess, from the first one on, has the least length; the others have a random one.
            let wanted =
                guess % 4 == 0
                ? least : Int.random(in: least...max(least, min(most ?? least + 12, least + 40)), using: &chance)
            var text = ""
            write(syntax, into: &text, wanted: wanted)
            if Self.takes(text, whole) { return text }
            // If the expression is not anchored at the end, the text may be longer.
            let longer = Self.fitted(text, least, most, .usual)
            if Self.takes(longer, whole) { return longer }
        }
        return nil
    }

    private static let lengthMax = 4_000

    /// The text, cut or filled up to an allowed length in code points.
    private static func fitted(_ text: String, _ least: Int, _ most: Int?, _ mood: Mood) -> String {
        var scalars = text.unicodeScalars
        if let most, scalars.count > most {
            scalars = String.UnicodeScalarView(scalars.prefix(max(0, most)))
        }
        let wanted = mood == .most ? most ?? least : least
        while scalars.count < wanted { scalars.append("a") }
        return String(scalars)
    }

    private mutating func write(_ syntax: PatternSyntax, into text: inout String, wanted: Int) {
        switch syntax {
        case .empty, .start, .end: break
        case .one(let set): if let scalar = scalar(of: set) { text.unicodeScalars.append(scalar) }
        case .sequence(let list): for part in list { write(part, into: &text, wanted: wanted) }
        case .alternatives(let list): write(chance.pick(list), into: &text, wanted: wanted)
        case .repeated(let part, let min, let max):
            let missing = Swift.max(min, wanted - text.unicodeScalars.count)
            var count = Swift.min(max ?? missing, missing)
            if chance.oneIn(3) { count = Int.random(in: min...Swift.max(min, count), using: &chance) }
            for _ in 0..<Swift.min(count, Self.lengthMax) {
                if text.unicodeScalars.count > Self.lengthMax { return }
                write(part, into: &text, wanted: 0)
            }
        }
    }

    /// Prefers letters and digits to unreadable characters.
    private mutating func scalar(of set: ScalarSet) -> Unicode.Scalar? {
        let readable = set.ranges.compactMap { range -> ClosedRange<UInt32>? in
            let (low, high) = (max(range.lowerBound, 0x21), min(range.upperBound, 0x7E))
            return low <= high ? low...high : nil
        }
        let plain = readable.filter { $0.lowerBound >= 0x30 }
        let ranges = !plain.isEmpty && mood != .strange ? plain : !readable.isEmpty ? readable : set.ranges
        guard !ranges.isEmpty else { return nil }
        let range = chance.pick(ranges)
        for _ in 0..<8 {
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &chance)) { return scalar }
        }
        return nil
    }
}
