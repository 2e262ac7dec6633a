extension HeaderBlock {
    /// The first field of this kind. O(count).
    public func firstIndex(of id: FieldID) -> Int? {
        for index in 0..<count where self[index].id == id { return index }
        return nil
    }

    /// The first field of this name, in any case. O(count).
    public func firstIndex(of name: UnsafeRawBufferPointer) -> Int? {
        let id = FieldID(name: name)
        if id != .other { return firstIndex(of: id) }
        for index in 0..<count {
            let field = self[index]
            if field.id == .other, Int(field.nameCount) == name.count, self.name(index).equalsIgnoringCase(name) {
                return index
            }
        }
        return nil
    }

    /// How many fields of this kind there are.
    public func count(of id: FieldID) -> Int {
        var found = 0
        for index in 0..<count where self[index].id == id { found += 1 }
        return found
    }

    /// The run of unmarked fields from `index` on that the storage holds as adjacent lines of the form `Name: value`
    /// CRLF, and the index after the run: `index` itself where its field is not stored in that form.
    ///
    /// Nearly every field arrives in that form, and can then be forwarded without being taken apart.
    func lines(from index: Int) -> (bytes: UnsafeRawBufferPointer, next: Int) {
        var next = index
        let start = Int(self[index].nameOffset)
        var end = start
        while next < count {
            let field = self[next]
            let nameEnd = Int(field.nameOffset) + Int(field.nameCount)
            let valueEnd = Int(field.valueOffset) + Int(field.valueCount)
            guard field.flags & 1 == 0, Int(field.nameOffset) == end, Int(field.valueOffset) == nameEnd + 2,
                valueEnd + 2 <= byteCount, has(UInt8(ascii: ":"), .space, at: nameEnd), has(.cr, .lf, at: valueEnd)
            else { break }
            end = valueEnd + 2
            next += 1
        }
        return (bytes(at: start, count: end - start), next)
    }

    private func has(_ first: UInt8, _ second: UInt8, at offset: Int) -> Bool {
        let pair = bytes(at: offset, count: 2)
        return pair[0] == first && pair[1] == second
    }
}
