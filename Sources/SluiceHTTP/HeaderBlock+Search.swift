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
}
