internal import SluiceContract

/// Writes a JSON patch (RFC 6902 §4): each operation applies to the result of the operations before it.
struct JSONPatchWriter {
    let old: JSONOutline
    let new: JSONOutline
    private var out: [UInt8] = []

    init(old: JSONOutline, new: JSONOutline) {
        self.old = old
        self.new = new
    }

    var isEmpty: Bool { out.isEmpty }
    var whole: [UInt8] { [UInt8(ascii: "[")] + out + [UInt8(ascii: "]")] }

    /// - Parameter path: a JSON pointer (RFC 6901), not yet escaped as a JSON string.
    mutating func compare(_ former: JSONOutline.Value, _ value: JSONOutline.Value, at path: [UInt8]) {
        switch (former, value) {
        case (.object(let before, _), .object(let after, _)): compare(before, after, at: path)
        case (.array(let before, _), .array(let after, _)): compare(before, after, at: path)
        default:
            if !old.isSame(former, as: value, of: new) { say("replace", path, value) }
        }
    }

    private mutating func compare(
        _ before: JSONOutline.Members, _ after: JSONOutline.Members, at path: [UInt8]
    ) {
        for (index, member) in before.all.enumerated() where after.position(of: member.key, near: index) == nil {
            say("remove", path + Self.token(member.key), nil)
        }
        for (index, member) in after.all.enumerated() {
            let path = path + Self.token(member.key)
            if let place = before.position(of: member.key, near: index) {
                compare(before.all[place].value, member.value, at: path)
            } else {
                say("add", path, member.value)
            }
        }
    }

    private mutating func compare(_ before: [JSONOutline.Value], _ after: [JSONOutline.Value], at path: [UInt8]) {
        let least = min(before.count, after.count)
        var first = 0
        while first < least, old.isSame(before[first], as: after[first], of: new) { first += 1 }
        var behind = 0
        while behind < least - first,
            old.isSame(before[before.count - 1 - behind], as: after[after.count - 1 - behind], of: new)
        {
            behind += 1
        }
        for index in first..<least - behind { compare(before[index], after[index], at: path + Self.token(index)) }
        let gone = path + Self.token(least - behind)
        for _ in least..<max(before.count, least) { say("remove", gone, nil) }
        for index in (least - behind)..<max(after.count - behind, least - behind) {
            say("add", path + Self.token(index), after[index])
        }
    }

    private mutating func say(_ operation: StaticString, _ path: [UInt8], _ value: JSONOutline.Value?) {
        if !out.isEmpty { out.append(UInt8(ascii: ",")) }
        out += #"{"op":""#.utf8
        operation.withUTF8Buffer { out += $0 }
        out += #"","path":""#.utf8
        for byte in path { JSONEscape.append(byte, to: &out) }
        out.append(UInt8(ascii: "\""))
        if let value {
            out += #","value":"#.utf8
            out += new.text(value.range)
        }
        out.append(UInt8(ascii: "}"))
    }

    private static func token(_ index: Int) -> [UInt8] { Array("/\(index)".utf8) }

    /// RFC 6901 §3.
    private static func token(_ key: [UInt8]) -> [UInt8] {
        var token = [UInt8(ascii: "/")]
        for byte in key {
            switch byte {
            case UInt8(ascii: "~"): token += "~0".utf8
            case UInt8(ascii: "/"): token += "~1".utf8
            default: token.append(byte)
            }
        }
        return token
    }
}
