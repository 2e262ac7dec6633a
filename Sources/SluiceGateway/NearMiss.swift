/// The nearest known name to one that is not known.
enum NearMiss {
    /// - Returns: the candidate with the fewest edits, where they are few for the length of the name.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let best = candidates.map { ($0, distance(wanted, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(1, wanted.count / 3) else { return nil }
        return best.0
    }

    /// Edits (insert, delete, replace, swap of neighbours) from one to the other.
    private static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for (row, a) in from.enumerated() {
            var current = [row + 1]
            for (column, b) in to.enumerated() {
                var edits = min(last[column + 1] + 1, current[column] + 1, last[column] + (a == b ? 0 : 1))
                if row > 0, column > 0, a == to[column - 1], from[row - 1] == b {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }
}
