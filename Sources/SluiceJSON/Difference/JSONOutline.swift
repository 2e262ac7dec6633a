/// A parsed JSON text, for comparing it with another one: the range of bytes of each value.
struct JSONOutline {
    let bytes: [UInt8]
    let root: Value

    indirect enum Value {
        /// A string, a number, `true`, `false` or `null`.
        case scalar(Range<Int>)
        case array([Value], Range<Int>)
        case object(Members, Range<Int>)

        /// The bytes of the value.
        var range: Range<Int> {
            switch self {
            case .scalar(let range), .array(_, let range), .object(_, let range): range
            }
        }
    }

    struct Member {
        /// The key without quotes and escapes.
        var key: [UInt8]
        /// The range of the key as it is written, with its quotes.
        var name: Range<Int>
        var value: Value
    }

    /// The members of an object, in their order and by their keys.
    final class Members {
        let all: [Member]
        private let positions: [[UInt8]: Int]

        /// Up to this many members a linear search is quicker than hashing.
        private static let fewMax = 8

        fileprivate init(_ all: [Member]) {
            self.all = all
            positions =
                all.count > Self.fewMax ? Dictionary(zip(all.map(\.key), 0...)) { first, _ in first } : [:]
        }

        /// - Parameter place: the position to look at first.
        func position(of key: [UInt8], near place: Int) -> Int? {
            if place < all.count, all[place].key == key { return place }
            if all.count > Self.fewMax { return positions[key] }
            return all.firstIndex { $0.key == key }
        }

        /// Whether there is a duplicate key, whose meaning is undefined (RFC 8259 §4).
        fileprivate var hasTwins: Bool {
            if all.count > Self.fewMax { return positions.count < all.count }
            return all.indices.contains { index in all[..<index].contains { $0.key == all[index].key } }
        }
    }

    /// - Returns: nil if the text is not JSON within the default limits, or an object has a key twice.
    init?(_ bytes: [UInt8]) {
        guard bytes.withUnsafeBytes({ JSONCheck.isValid($0) }) else { return nil }
        var reader = Reader(bytes: bytes)
        let root = reader.value()
        if reader.hasTwins { return nil }
        self.bytes = bytes
        self.root = root
    }

    func text(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Whether a value is `null`.
    func isNull(_ value: Value) -> Bool {
        if case .scalar(let range) = value { bytes[range.lowerBound] == UInt8(ascii: "n") } else { false }
    }

    /// Whether two values are equal: white space, escapes and the order of members make no difference. Numbers are
    /// equal if they are written alike.
    func isSame(_ own: Value, as value: Value, of other: JSONOutline) -> Bool {
        switch (own, value) {
        case (.scalar(let first), .scalar(let second)):
            let (first, second) = (bytes[first], other.bytes[second])
            if first == second { return true }
            guard first.first == UInt8(ascii: "\""), second.first == UInt8(ascii: "\"") else { return false }
            return Self.plain(first) == Self.plain(second)
        case (.array(let first, _), .array(let second, _)):
            return first.count == second.count && zip(first, second).allSatisfy { isSame($0, as: $1, of: other) }
        case (.object(let first, _), .object(let second, _)):
            guard first.all.count == second.all.count else { return false }
            return first.all.enumerated().allSatisfy { index, member in
                guard let place = second.position(of: member.key, near: index) else { return false }
                return isSame(member.value, as: second.all[place].value, of: other)
            }
        case (.scalar, _), (.array, _), (.object, _): return false
        }
    }

    /// The text of a string without quotes and escapes.
    fileprivate static func plain(_ string: ArraySlice<UInt8>) -> [UInt8] {
        let inside = string.dropFirst().dropLast()
        guard inside.contains(UInt8(ascii: "\\")) else { return Array(inside) }
        return Array(inside.withUnsafeBufferPointer { JSONText.text(of: $0) }.utf8)
    }

    /// Parses a text that is known to be JSON, without checking it.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0
        var hasTwins = false

        /// The next byte that is no white space.
        private mutating func next() -> UInt8 {
            while [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
            return bytes[position]
        }

        mutating func value() -> Value {
            switch next() {
            case UInt8(ascii: "{"): object()
            case UInt8(ascii: "["): array()
            case UInt8(ascii: "\""): .scalar(string())
            default: .scalar(word())
            }
        }

        private mutating func object() -> Value {
            let start = position
            var members: [Member] = []
            position += 1
            while next() != UInt8(ascii: "}") {
                if bytes[position] == UInt8(ascii: ",") {
                    position += 1
                    continue
                }
                let name = string()
                _ = next()
                position += 1  // The colon.
                members.append(Member(key: JSONOutline.plain(bytes[name]), name: name, value: value()))
            }
            position += 1
            let found = Members(members)
            if found.hasTwins { hasTwins = true }
            return .object(found, start..<position)
        }

        private mutating func array() -> Value {
            let start = position
            var items: [Value] = []
            position += 1
            while next() != UInt8(ascii: "]") {
                if bytes[position] == UInt8(ascii: ",") { position += 1 } else { items.append(value()) }
            }
            position += 1
            return .array(items, start..<position)
        }

        private mutating func string() -> Range<Int> {
            let start = position
            position += 1
            while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
            position += 1
            return start..<position
        }

        private mutating func word() -> Range<Int> {
            let start = position
            while position < bytes.count, ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains(bytes[position]) {
                position += 1
            }
            return start..<position
        }
    }
}
