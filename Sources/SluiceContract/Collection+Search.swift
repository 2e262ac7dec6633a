// What the standard library has for this is in its module of regular expressions, which is a megabyte of a program
// that uses none: `scripts/build` leaves it out, and fails where something else of it is used.

extension Collection where Element: Equatable {
    /// Where the elements of `other` stand for the first time.
    package func firstRange<Other: Collection<Element>>(of other: Other) -> Range<Index>? {
        var start = startIndex
        while true {
            if let end = endOfPrefix(other, at: start) { return start..<end }
            if start == endIndex { return nil }
            formIndex(after: &start)
        }
    }

    /// Behind the elements of `other`, if they stand at `start`.
    private func endOfPrefix<Other: Collection<Element>>(_ other: Other, at start: Index) -> Index? {
        var end = start
        for element in other {
            guard end != endIndex, self[end] == element else { return nil }
            formIndex(after: &end)
        }
        return end
    }

    /// What stands between the separators, which have an element at least, empty parts included.
    /// - Parameter maxSplits: so many separators are looked for at most.
    package func parts<Other: Collection<Element>>(
        between separator: Other, maxSplits: Int = .max
    ) -> [SubSequence] {
        if separator.isEmpty { return [self[...]] }
        var parts: [SubSequence] = []
        var rest = self[...]
        while parts.count < maxSplits, let range = rest.firstRange(of: separator) {
            parts.append(self[rest.startIndex..<range.lowerBound])
            rest = self[range.upperBound...]
        }
        return parts + [rest]
    }
}

extension StringProtocol {
    @_disfavoredOverload
    package func contains(_ other: String) -> Bool { firstRange(of: other) != nil }

    package func replacing(_ old: String, with new: String) -> String {
        parts(between: old).joined(separator: new)
    }
}
