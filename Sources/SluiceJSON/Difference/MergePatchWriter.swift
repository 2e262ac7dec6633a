/// Writes a merge patch (RFC 7396 §2).
struct MergePatchWriter {
    let old: JSONOutline
    let new: JSONOutline
    private(set) var out: [UInt8] = []

    init(old: JSONOutline, new: JSONOutline) {
        self.old = old
        self.new = new
    }

    /// Writes the patch that turns `former` into `value`, which differ.
    /// - Returns: whether a merge patch can express it.
    mutating func write(_ former: JSONOutline.Value, _ value: JSONOutline.Value) -> Bool {
        guard case .object(let before, _) = former, case .object(let after, _) = value else { return put(value) }
        var separator = UInt8(ascii: "{")
        func begin(_ name: ArraySlice<UInt8>, _ out: inout [UInt8]) {
            out.append(separator)
            separator = UInt8(ascii: ",")
            out += name
            out.append(UInt8(ascii: ":"))
        }
        for (index, member) in before.all.enumerated() where after.position(of: member.key, near: index) == nil {
            begin(old.text(member.name), &out)
            out += "null".utf8
        }
        for (index, member) in after.all.enumerated() {
            let place = before.position(of: member.key, near: index)
            if let place, old.isSame(before.all[place].value, as: member.value, of: new) { continue }
            // In a merge patch, null would remove the member.
            if new.isNull(member.value) { return false }
            begin(new.text(member.name), &out)
            if let place {
                guard write(before.all[place].value, member.value) else { return false }
            } else {
                guard put(member.value) else { return false }
            }
        }
        out.append(UInt8(ascii: "}"))
        return true
    }

    /// Writes a value as it is.
    /// - Returns: false if the value has a member that is null, which a merge patch would drop.
    private mutating func put(_ value: JSONOutline.Value) -> Bool {
        if hasNullMember(value) { return false }
        out += new.text(value.range)
        return true
    }

    /// Nulls in an array do not count: a merge patch replaces arrays as they are.
    private func hasNullMember(_ value: JSONOutline.Value) -> Bool {
        guard case .object(let members, _) = value else { return false }
        return members.all.contains { new.isNull($0.value) || hasNullMember($0.value) }
    }
}
