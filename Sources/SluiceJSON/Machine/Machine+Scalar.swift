import CSIMD

/// Reads strings, numbers, `true`, `false` and `null`, byte by byte, whole or cut by a chunk's end.
extension Machine {
    /// Continues the token that the end of the last chunk cut.
    @inline(never)
    mutating func resumeToken(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        switch reader.token.kind {
        case .key, .string: return resumeString(&p, end)
        case .number: return resumeNumber(&p, end)
        case .word: return matchWord(&p, end)
        case .none: preconditionFailure("a cut token of no kind")
        }
    }

    // MARK: Strings

    @inline(__always)
    mutating func string(_ p: inout BytePointer, _ end: BytePointer, _ node: UnsafeMutablePointer<Node>) -> Position {
        guard let quote = reader.plainQuote(p, end) else { return longString(&p, end, node) }
        let start = p
        p = quote + 1
        if node.pointee.stringCheck != .none {
            checkString(node, start, p - start, offset: offset(of: start), hasEscapes: false)
        }
        return valueEnded(p)
    }

    /// A string with escapes, or one that the chunk's end cuts.
    @inline(never)
    private mutating func longString(
        _ p: inout BytePointer, _ end: BytePointer, _ node: UnsafeMutablePointer<Node>
    ) -> Position {
        let start = p
        let isChecked = node.pointee.stringCheck != .none
        reader.token.begin(.string, at: p, offset: offset(of: p))
        reader.token.isCarried = isChecked
        p += 1
        switch reader.scanString(&p, end, chunk) {
        case .cut:
            if isChecked { reader.startCarry(start, end) }
            return .token
        case .ended:
            reader.token.kind = .none
            if isChecked {
                checkString(
                    node, start, p - start, offset: reader.token.offset, hasEscapes: reader.token.hasEscapes)
            }
            return valueEnded(p)
        case let failure: return failString(failure, at: p)
        }
    }

    private mutating func resumeString(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let start = p
        let scan = reader.scanString(&p, end, chunk)
        switch scan {
        case .tooLong, .broken: return failString(scan, at: p)
        case .cut, .ended: break
        }
        if reader.token.isCarried { _ = reader.appendCarry(start, p) }
        if case .cut = scan { return .token }
        let kind = reader.token.kind
        if kind == .key, reader.token.isCarried, let base = reader.carry.base {
            return endKey(base, reader.carry.count, at: p, isCarried: true)
        }
        reader.token.kind = .none
        if reader.token.isSkipped { return .skipping }
        guard reader.token.isCarried, let base = reader.carry.base else { return valueEnded(p) }
        checkString(
            tables.nodes + Int(current), base, reader.carry.count, offset: reader.token.offset,
            hasEscapes: reader.token.hasEscapes)
        emitter.emit(carry: reader.carry, upTo: p)
        return valueEnded(p)
    }

    /// The string being read is malformed or too long.
    @inline(never)
    mutating func failString(_ scan: TokenReader.StringScan, at p: BytePointer) -> Position {
        if case .broken(let fault) = scan { return fail(fault, at: p) }
        return fail(.stringTooLong, offset: reader.token.offset)
    }

    /// - Parameter start: the string as written, with its quotes.
    private mutating func checkString(
        _ node: UnsafeMutablePointer<Node>, _ start: BytePointer, _ count: Int, offset: Int, hasEscapes: Bool
    ) {
        let text =
            hasEscapes
            ? reader.unescaped(start + 1, count - 2) : UnsafeBufferPointer(start: start + 1, count: count - 2)
        emitter.markAbsent(checker.checkString(node, start, count, text, offset: offset, frames))
        if node.pointee.converts { convert(node, node.pointee.strings, start, count, text, isNumber: false) }
    }

    /// For each slice that converts the scalar, emits its converted form, or the scalar itself if it has none.
    @inline(never)
    private mutating func convert(
        _ node: UnsafeMutablePointer<Node>, _ rules: TableRange, _ start: BytePointer, _ count: Int,
        _ text: UnsafeBufferPointer<UInt8>, isNumber: Bool
    ) {
        for number in node.pointee.ops.indices where tables.valueOps[number].kind == .convert {
            let slice = tables.valueOps[number].slice
            let converted = checker.converted(rules, slice, text, isNumber: isNumber)
            emitter.emit(Int(slice), copying: converted ?? Array(UnsafeBufferPointer(start: start, count: count)))
        }
    }

    // MARK: Numbers

    @inline(__always)
    mutating func number(_ p: inout BytePointer, _ end: BytePointer, _ node: UnsafeMutablePointer<Node>) -> Position {
        let start = p
        let number = sluice_json_number_at(p, end, false)
        p = number.end
        switch number.state {
        case SLUICE_JSON_NUMBER_ENDED:
            if p - start > limits.stringBytes { return fail(.stringTooLong, at: start) }
            checkNumber(node, start, p - start, offset: offset(of: start))
            // A byte that looks like more of the number is a fault, which must be found here: once the last slice is
            // complete, later faults no longer count.
            if endsEarly, !sluice_json_may_end(p.pointee) { return fail(goesOnFault, at: p) }
            return valueEnded(p)
        case SLUICE_JSON_NUMBER_CUT: return cutNumber(&p, start, end, isSkipped: false)
        default: return failNumber(at: p, start: start)
        }
    }

    private mutating func checkNumber(
        _ node: UnsafeMutablePointer<Node>, _ start: BytePointer, _ count: Int, offset: Int
    ) {
        if node.pointee.numberCheck == .none { return }
        emitter.markAbsent(checker.checkNumber(node, start, count, offset: offset, frames))
        guard node.pointee.converts else { return }
        let text = UnsafeBufferPointer(start: start, count: count)
        convert(node, node.pointee.numbers, start, count, text, isNumber: true)
    }

    /// A number may continue in the next chunk, so its bytes are carried.
    @inline(never)
    mutating func cutNumber(
        _ p: inout BytePointer, _ start: BytePointer, _ end: BytePointer, isSkipped: Bool
    ) -> Position {
        p = end
        reader.token.begin(.number, at: start, offset: offset(of: start), isSkipped: isSkipped)
        // In a skipped part no slice checks the number, so other bytes need not wait for its end.
        reader.token.isCarried = !isSkipped
        if end - start > limits.stringBytes { return fail(.stringTooLong, offset: reader.token.offset) }
        reader.startCarry(start, end)
        return .token
    }

    @inline(never)
    mutating func failNumber(at p: BytePointer, start: BytePointer) -> Position {
        p - start > limits.stringBytes ? fail(.stringTooLong, at: start) : fail(.digitExpected, at: p)
    }

    private mutating func resumeNumber(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let start = p
        while p < end, NumberText.mayGoOn(with: p.pointee) { p += 1 }
        guard reader.appendCarry(start, p) else { return fail(.stringTooLong, offset: reader.token.offset) }
        return p == end ? .token : endNumber(p)
    }

    /// The carried number has ended before `p`.
    mutating func endNumber(_ p: BytePointer) -> Position {
        guard let base = reader.carry.base else { return .halted }
        let text = BytePointer(base)
        let count = reader.carry.count
        let number = sluice_json_number_at(text, text + count, true)
        let length = number.end - text
        let start = reader.token.offset
        if number.state == SLUICE_JSON_NUMBER_BROKEN {
            let byte = length < count ? number.end.pointee : (p == BytePointer(tables.text) ? nil : p.pointee)
            return fail(byte == nil ? .truncated : .digitExpected, offset: start + length, byte: byte)
        }
        reader.token.kind = .none
        let wasSkipped = reader.token.isSkipped
        if !wasSkipped {
            checkNumber(tables.nodes + Int(current), text, length, offset: start)
            if endsEarly, length < count {
                return fail(goesOnFault, offset: start + length, byte: number.end.pointee)
            }
            emitter.emit(carry: reader.carry, upTo: p)
        }
        let next = wasSkipped ? Position.skipping : valueEnded(p)
        // The carried bytes may go on behind the number's end: `1.2.3`, `01`, `1-2`.
        return length == count ? next : fail(goesOnFault, offset: start + length, byte: number.end.pointee)
    }

    // MARK: true, false, null

    @inline(__always)
    mutating func word(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let node = tables.nodes + Int(current)
        let length = Self.wordLength(p, end)
        if length > 0, !node.pointee.isUnique,
            !node.pointee.refused.contains(p.pointee == UInt8(ascii: "n") ? .null : .bool)
        {
            p += length
            return valueEnded(p)
        }
        return beginWord(&p, end, isSkipped: false)
    }

    /// Length of the word at `p`; 0 if there is none, or if it has to be read letter by letter.
    @inline(__always)
    static func wordLength(_ p: BytePointer, _ end: BytePointer) -> Int {
        end - p < 5 ? 0 : Int(sluice_json_word(p, p.pointee))
    }

    @inline(never)
    mutating func beginWord(_ p: inout BytePointer, _ end: BytePointer, isSkipped: Bool) -> Position {
        reader.token.begin(.word, at: p, offset: offset(of: p), isSkipped: isSkipped)
        reader.token.word = Token.Word(letter: p.pointee)
        return matchWord(&p, end)
    }

    private mutating func matchWord(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let word = reader.token.word
        guard let isWhole = reader.matchWord(&p, end) else { return fail(.word(word), at: p) }
        if !isWhole { return .token }
        if reader.token.isSkipped { return .skipping }
        let kind = word == .null ? KindSet.null : .bool
        let node = tables.nodes + Int(current)
        if node.pointee.refused.contains(kind) {
            emitter.markAbsent(checker.refuse(node, word, reader.token.offset, frames))
        }
        if node.pointee.isUnique { checker.noteElement(word.text.description, reader.token.offset, frames) }
        return valueEnded(p)
    }
}
