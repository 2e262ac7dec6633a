import CSIMD

/// Arrays of which more is asked than of their elements: how many there are, and that they differ.
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
        // Of an empty one this is -1.
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

    /// A word of an array whose elements have to differ.
    mutating func noteElement(_ word: String, _ offset: Int, _ frames: FrameStack) {
        noteElement(Array(word.utf8), word, offset, frames)
    }

    /// - Parameter text: of a number, or of a string without quotes and escapes.
    mutating func noteElement(
        _ text: UnsafeBufferPointer<UInt8>, isString: Bool, _ offset: Int, _ frames: FrameStack
    ) {
        let shown = String(decoding: text.prefix(64), as: UTF8.self)
        let kind = isString ? "string" : "number"
        noteElement((isString ? [UInt8(ascii: "\"")] : []) + text, "\(kind) \(shown)", offset, frames)
    }

    private mutating func noteElement(_ key: [UInt8], _ shown: String, _ offset: Int, _ frames: FrameStack) {
        guard let last = elements.indices.last, elements[last].frame == frames.count else { return }
        let array = tables.arrays[Int(frames.top.pointee.table)]
        for number in array.rules.indices where limits[Int(tables.arrayRules[number].limit)].isUnique {
            let rule = tables.arrayRules[number]
            // What is beyond the bound is a fault anyway, and is not remembered.
            if Int(frames.top.pointee.count) >= limits[Int(rule.limit)].greatestCount { continue }
            if !elements[last].seen.contains(key) { continue }
            report(Int(rule.slice), rule.expected, "\(shown) again", offset, frames)
        }
        let mostWanted =
            array.rules.indices.map { limits[Int(tables.arrayRules[$0].limit)] }.filter(\.isUnique)
            .map(\.greatestCount).max() ?? 0
        if elements[last].seen.count < mostWanted { elements[last].seen.insert(key) }
    }
}
