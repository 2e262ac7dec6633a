extension Machine {
    /// Goes on with the token that the last chunk's end cut.
    @inline(never)
    mutating func resumeToken(_ p: inout Place, _ end: Place) -> Position {
        switch token.kind {
        case .key, .string: return resumeString(&p, end)
        case .number: return resumeNumber(&p, end)
        case .word: return matchWord(&p, end)
        case .none: preconditionFailure("a cut token of no kind")
        }
    }

    private mutating func resumeString(_ p: inout Place, _ end: Place) -> Position {
        let start = p
        let scan = scanString(&p, end)
        if case .failed = scan { return .halted }
        if token.isCarried { carry.append(start, p - start) }
        if case .starved = scan { return .token }
        let kind = token.kind
        if token.isSkipped {
            token.kind = .none
            return .skipping
        }
        guard token.isCarried, let base = carry.base else {
            token.kind = .none
            return valueEnded(p)
        }
        if kind == .key { return endKey(base, carry.count, at: p, isCarried: true) }
        token.kind = .none
        checkString(
            tables.nodes + Int(current), base, carry.count, offset: token.offset, hasEscapes: token.hasEscapes)
        emitCarry(p)
        return valueEnded(p)
    }

    /// A token begins at `start` and does not end in this chunk.
    mutating func startCarry(_ start: Place, _ end: Place) {
        swap(&carry, &spareCarry)
        carry.removeAll()
        carry.append(start, end - start)
    }

    /// Shows the carried token, which ended before `p`.
    mutating func emitCarry(_ p: Place) {
        guard let base = carry.base else { return }
        emit(slices.running, base, carry.count)
        slices.resume(at: p)
    }
}

// MARK: true, false, null

extension Machine {
    @inline(__always)
    mutating func word(_ p: inout Place, _ end: Place) -> Position {
        let node = tables.nodes + Int(current)
        let length = Scalars.wordLength(p, end)
        if length > 0, !node.pointee.refused.contains(p.pointee == UInt8(ascii: "n") ? .null : .bool) {
            p += length
            return valueEnded(p)
        }
        token.begin(.word, at: p, offset: offset(of: p))
        beginWord(p.pointee)
        return matchWord(&p, end)
    }

    mutating func beginWord(_ letter: UInt8) {
        token.word = letter == UInt8(ascii: "t") ? .true : letter == UInt8(ascii: "f") ? .false : .null
    }

    /// Goes on with a word, letter by letter.
    @inline(never)
    mutating func matchWord(_ p: inout Place, _ end: Place) -> Position {
        let text = token.word.text
        while token.matched < text.utf8CodeUnitCount {
            if p == end { return .token }
            if p.pointee != text.utf8Start[token.matched] { return fail(.word(token.word), at: p) }
            p += 1
            token.matched += 1
        }
        token.kind = .none
        if token.isSkipped { return .skipping }
        let kind = token.word == .null ? KindSet.null : .bool
        let node = tables.nodes + Int(current)
        if node.pointee.refused.contains(kind) {
            blame(node, kind, token.word == .null ? "null" : "bool \(text)", token.offset)
        }
        return valueEnded(p)
    }
}
