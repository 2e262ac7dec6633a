/// Finds what an author may have meant.
public enum Nearest {
    /// The known name nearest to what was written; nil where none is near.
    /// - Parameter editsMax: how far a long name may be off; a third of its length is the limit in any case.
    public static func name(to written: String, among known: [String], editsMax: Int = 3) -> String? {
        let lowered = Array(written.lowercased().unicodeScalars)
        // With an edit, a single letter is any other.
        let allowed = lowered.count < 2 ? 0 : max(1, min(editsMax, lowered.count / 3))
        var best: (name: String, distance: Int)?
        for name in known where abs(name.unicodeScalars.count - lowered.count) <= allowed {
            let distance = distance(lowered, Array(name.lowercased().unicodeScalars))
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Edits (insert, delete, replace, swap of neighbours) between two words: optimal string alignment.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for i in 1...left.count {
            var row = [i] + [Int](repeating: 0, count: right.count)
            for j in 1...right.count {
                let cost = left[i - 1] == right[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
