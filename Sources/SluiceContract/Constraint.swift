/// What is asked of a scalar or an array beyond its kind: `(1...100)`, `(/^[a-z]+$/)`, `(0...50, unique)`.
public struct Constraint: Hashable, Sendable {
    /// Of a number its value, of a string its length in code points, of an array how many elements it has.
    public var range: Range?
    /// A regular expression over a string.
    public var pattern: String?
    /// Whether no element of an array is another one's equal.
    public var isUnique: Bool

    /// Elements that are remembered to tell whether they differ, at most.
    public static let uniqueMost = 10_000

    public init(range: Range? = nil, pattern: String? = nil, isUnique: Bool = false) {
        self.range = range
        self.pattern = pattern
        self.isUnique = isUnique
    }

    /// Bounds, as JSON writes numbers; a missing one bounds nothing.
    public struct Range: Hashable, Sendable {
        public var lower: String?
        public var upper: String?
        /// `0..<1`: the upper bound itself is outside.
        public var excludesUpper: Bool

        public init(_ lower: String?, _ upper: String?, excludesUpper: Bool = false) {
            self.lower = lower
            self.upper = upper
            self.excludesUpper = excludesUpper
        }

        /// Whether a number, as JSON writes it, is inside.
        public func contains(_ number: UnsafeBufferPointer<UInt8>) -> Bool {
            if let lower, DecimalText.order(number, lower) < 0 { return false }
            guard let upper else { return true }
            let order = DecimalText.order(number, upper)
            return excludesUpper ? order < 0 : order <= 0
        }

        /// Whether a length or a count is inside.
        public func contains(_ count: Int) -> Bool {
            var text = String(count)
            return text.withUTF8 { contains($0) }
        }

        /// The greatest count that is inside; nil where there is none.
        public var greatestCount: Int? { upper.flatMap { Int($0) }.map { excludesUpper ? $0 - 1 : $0 } }
    }
}

extension Constraint: CustomStringConvertible {
    /// As it stands in parentheses.
    public var description: String {
        var parts: [String] = []
        if let range { parts.append(range.description) }
        if let pattern { parts.append("/\(pattern)/") }
        if isUnique { parts.append("unique") }
        return parts.joined(separator: ", ")
    }
}

extension Constraint.Range: CustomStringConvertible {
    public var description: String {
        if let lower, lower == upper, !excludesUpper { return lower }
        return (lower ?? "") + (excludesUpper ? "..<" : "...") + (upper ?? "")
    }
}
