internal import SluiceHTTP

/// The `tracestate` field (W3C Trace Context Level 2 §3.3): what other tracing systems say of the trace. It is passed
/// on unchanged and in order; the gateway adds no member.
struct TraceState {
    /// The most list members (§3.3.1.1).
    static let membersMax = 32
    /// The most characters of a key, and of a value (§3.3.1.3).
    static let keyMax = 256
    static let valueMax = 256

    /// All fields as one list (RFC 9110 §5.3), without the empty members.
    private(set) var members: [[UInt8]] = []

    /// Reads the fields of a request; nil where they are malformed, and must not be passed on.
    init?(_ fields: borrowing HeaderBlock) {
        for index in 0..<fields.count where fields[index].id == .tracestate && !fields.isMarked(index) {
            guard read(fields.value(index)) else { return nil }
        }
    }

    private mutating func read(_ value: UnsafeRawBufferPointer) -> Bool {
        for part in value.split(separator: UInt8(ascii: ",")) {
            let member = Self.trimmed(part)
            if member.isEmpty { continue }
            guard members.count < Self.membersMax, Self.isMember(member) else { return false }
            members.append(Array(member))
        }
        return true
    }

    /// Spaces and tabs around members are not part of them (§3.3.1).
    private static func trimmed(_ part: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var part = part.drop { isBlank($0) }
        while let last = part.last, isBlank(last) { part.removeLast() }
        return part
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// `key=value` (§3.3.1.3).
    private static func isMember(_ member: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")), let first = member.first else { return false }
        let key = member[..<equals]
        let value = member[(equals + 1)...]
        return (1...keyMax).contains(key.count) && (1...valueMax).contains(value.count) && isLower(first)
            && key.allSatisfy { isLower($0) || "_-*/@".utf8.contains($0) }
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isLower(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// At most so many characters, in whole members: long members are dropped first, then the last ones (§3.3.1.5).
    func text(upTo most: Int) -> String {
        var kept = members
        func count() -> Int { kept.reduce(max(0, kept.count - 1)) { $0 + $1.count } }
        while count() > most, let long = kept.lastIndex(where: { $0.count > 128 }) { kept.remove(at: long) }
        while count() > most { kept.removeLast() }
        return kept.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }
}
