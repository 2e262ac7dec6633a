import CSIMD

/// Constraints of arrays as a whole: how many elements there are, and that they differ.
extension TypeChecker {
    /// The innermost array has begun.
    @inline(never)
    mutating func beginArray(_ array: UnsafeMutablePointer<ArrayTable>, _ frames: FrameStack) {
        let isUnique = array.pointee.rules.indices.contains { limits[Int(tables.arrayRules[$0].limit)].isUnique }
        if isUnique { elements.append((frames.count, [])) }
    }

    /// The innermost array ends here.
    @inline(never)
    mutating func checkArray(_ array: UnsafeMutablePointer<ArrayTable>, _ frames: FrameStack) {
        // The count of an empty array is -1.
        let count = Int(frames.top.pointee.count) + 1
        for number in array.pointee.rules.indices {
            let rule = tables.arrayRules[number]
            if limits[Int(rule.limit)].accepts(count: count) { continue }
            report(
                Int(rule.slice), rule.expected, "array of \(count)", frames.top.pointee.offset, frames,
                depth: frames.count - 1)
        }
        if elements.last?.frame == frames.count { elements.removeLast() }
    }

    /// Checks `true`, `false` or `null` in an array whose elements have to differ.
    mutating func noteElement(_ word: String, _ offset: Int, _ frames: FrameStack) {
        if isRepeated(Array(word.utf8), frames) { refuseRepeated(word, offset, frames) }
    }

    /// Whether the innermost array has had the element before; remembers it.
    /// - Parameter key: the text of a word or a number; for a string, a quote and the text without quotes and escapes.
    mutating func isRepeated(_ key: [UInt8], _ frames: FrameStack) -> Bool {
        guard let last = elements.indices.last, elements[last].frame == frames.count else { return false }
        if elements[last].seen.contains(key) { return true }
        let array = tables.arrays[Int(frames.top.pointee.table)]
        let mostWanted =
            array.rules.indices.map { limits[Int(tables.arrayRules[$0].limit)] }.filter(\.isUnique)
            .map(\.greatestCount).max() ?? 0
        // Elements beyond the greatest count are a fault anyway, and are not remembered.
        if elements[last].seen.count < mostWanted { elements[last].seen.insert(key) }
        return false
    }

    mutating func refuseRepeated(_ found: String, _ offset: Int, _ frames: FrameStack) {
        let array = tables.arrays[Int(frames.top.pointee.table)]
        for number in array.rules.indices where limits[Int(tables.arrayRules[number].limit)].isUnique {
            let rule = tables.arrayRules[number]
            if Int(frames.top.pointee.count) >= limits[Int(rule.limit)].greatestCount { continue }
            report(Int(rule.slice), rule.expected, "\(found) again", offset, frames)
        }
    }
}
