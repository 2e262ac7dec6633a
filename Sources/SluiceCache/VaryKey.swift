public import SluiceHTTP

/// Normalizes the request fields that select among stored responses, so that equivalent requests share one answer (RFC
/// 9111 §4.1).
public enum VaryKey {
    /// Field names out of `Vary`, lower-case, sorted, each once; together with those that the binding adds.
    public static func names(_ response: borrowing HeaderBlock, adding configured: [[UInt8]]) -> [[UInt8]] {
        var names = configured
        for index in 0..<response.count where response[index].id == .vary {
            var list = ListIterator(response.value(index))
            while let name = list.next() { names.append(name.map { $0.inLowerCase }) }
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        var unique: [[UInt8]] = []
        for name in names where name != unique.last { unique.append(name) }
        return unique
    }

    /// Adds the values of `names` in the request to `hash`.
    public static func combine(_ names: [[UInt8]], of request: borrowing HeaderBlock, into hash: inout SipHash) {
        for name in names {
            name.withUnsafeBytes { hash.combine(run: $0) }
            let id = name.withUnsafeBytes { FieldID(name: $0) }
            var value = normalised(id, joined(name, id, request))
            // An absent field differs from an empty one.
            value.append(value.isEmpty && !isPresent(name, id, request) ? 0 : 1)
            value.withUnsafeBytes { hash.combine(run: $0) }
        }
    }

    private static func isPresent(_ name: [UInt8], _ id: FieldID, _ request: borrowing HeaderBlock) -> Bool {
        name.withUnsafeBytes { request.firstIndex(of: $0) } != nil
    }

    /// All lines of the field as one list (RFC 9110 §5.3). Blanks around members have no meaning in any list and are
    /// dropped, as are empty members where the field is known to be a list (§5.6.1.2); cookies are no list at all.
    private static func joined(_ name: [UInt8], _ id: FieldID, _ request: borrowing HeaderBlock) -> [[UInt8]] {
        var members: [[UInt8]] = []
        for index in 0..<request.count where request[index].id == id {
            if id == .other {
                guard request.name(index).elementsEqual(name, by: { $0.inLowerCase == $1 }) else { continue }
            }
            var list = ListIterator(request.value(index), honoursQuotes: true)
            if isPreference(id) {
                while let member = list.next() { members.append(Array(member)) }
            } else if id == .cookie {
                members.append(Array(request.value(index)))
            } else {
                while let member = list.nextOrEmpty() { members.append(Array(member)) }
            }
        }
        return members
    }

    /// Whether a field states a client's preferences (RFC 9110 §12.5).
    private static func isPreference(_ id: FieldID) -> Bool {
        switch id {
        case .accept, .acceptLanguage, .acceptEncoding, .acceptCharset: true
        default: false
        }
    }

    private static func normalised(_ id: FieldID, _ members: [[UInt8]]) -> [UInt8] {
        // Two lines of cookies are not one with a comma in it: what is between them stands in no value (RFC 9110 §5.5).
        if id == .cookie { return Array(members.joined(separator: [UInt8(0x0a)])) }
        guard isPreference(id) else { return Array(members.joined(separator: [UInt8(ascii: ",")])) }
        // Order by preference: the highest weight first, then by name.
        let weighted = members.map { member in
            let text = folded(member)
            return (text: text, weight: weight(of: text))
        }
        let sorted = weighted.sorted {
            $0.weight != $1.weight ? $0.weight > $1.weight : $0.text.lexicographicallyPrecedes($1.text)
        }
        return Array(sorted.map(\.text).joined(separator: [UInt8(ascii: ",")]))
    }

    /// Drops differences without meaning: the case of names and blanks between them. The value of a parameter may be
    /// case-sensitive (RFC 9110 §5.6.6), and everything in quotes counts (§5.6.4).
    private static func folded(_ member: [UInt8]) -> [UInt8] {
        enum Part { case name, value, quoted, escaped }
        var part = Part.name
        var text: [UInt8] = []
        for byte in member {
            switch (part, byte) {
            case (.escaped, _): part = .quoted
            case (.quoted, UInt8(ascii: "\\")): part = .escaped
            case (.quoted, UInt8(ascii: "\"")): part = .value
            case (.quoted, _): break
            case (_, 0x20), (_, 0x09): continue
            case (_, UInt8(ascii: "\"")): part = .quoted
            case (_, UInt8(ascii: "=")): part = .value
            case (_, UInt8(ascii: ";")): part = .name
            default: break
            }
            text.append(part == .name ? byte.inLowerCase : byte)
        }
        return text
    }

    /// Thousandths (RFC 9110 §12.4.2).
    private static func weight(of member: [UInt8]) -> Int {
        let parts = member.split(separator: UInt8(ascii: ";"))
        for part in parts.dropFirst() where part.starts(with: "q=".utf8) {
            let digits = part.dropFirst(2).filter { $0 &- 0x30 < 10 }.prefix(4)
            var value = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            for _ in digits.count..<4 { value *= 10 }
            return value
        }
        return 1000
    }
}

extension UInt8 {
    @inline(__always)
    var inLowerCase: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
