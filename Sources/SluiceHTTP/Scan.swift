internal import CSIMD

/// The C scans over raw bytes, and the few comparisons that parsing needs.
enum Scan {
    /// Index of the first byte that a field value may not hold (RFC 9110 §5.5), or the count.
    @inline(__always)
    static func fieldValue(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        sluice_scan_field_value(bytes.assumingMemoryBound(to: UInt8.self), count)
    }

    /// Index of the first byte that a token may not hold (RFC 9110 §5.6.2), or the count.
    @inline(__always)
    static func token(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        sluice_scan_token(bytes.assumingMemoryBound(to: UInt8.self), count)
    }

    /// Index of the first colon among 32 bytes, or 32.
    @inline(__always)
    static func colon(_ bytes: UnsafeRawPointer) -> Int {
        sluice_find_colon(bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// Index of the first byte outside of `characters`, or the count.
    @inline(__always)
    static func run(of characters: Characters, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        sluice_scan_class(bytes.assumingMemoryBound(to: UInt8.self), count, characters.rawValue)
    }

    /// Classes of characters, as `http_scan.h` numbers them.
    enum Characters: UInt8 {
        case token = 1
        case path = 2
        case query = 4
        case host = 8
        case unreserved = 16
        case hexadecimal = 32
        case target = 64
        case plain = 128
    }
}

extension UnsafeRawBufferPointer {
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    @inlinable
    package init(_ text: StaticString) {
        self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// The bytes from `start` up to `end`; both are checked.
    @inlinable @inline(__always)
    package func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// Whether the bytes equal `text` without regard to case; the letters of `text` have to be lower-case.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index].lowercased != text.utf8Start[index] { return false }
        return true
    }

    /// Place of the first `byte` from `start` on; the count where there is none.
    @inline(__always)
    func place(of byte: UInt8, from start: Int = 0) -> Int {
        var index = start
        while index < count, self[index] != byte { index += 1 }
        return index
    }

    /// Byte for byte.
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }

    /// Whether both are the same field name (RFC 9110 §5.1).
    package func equalsIgnoringCase(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index].lowercased != other[index].lowercased { return false }
        return true
    }

    /// Without spaces and tabs at both ends (OWS, RFC 9110 §5.6.3).
    package var trimmed: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return part(start, end)
    }

    /// Without the surrounding double quotes, if both are there.
    var unquoted: UnsafeRawBufferPointer {
        let quote = UInt8(ascii: "\"")
        guard count >= 2, first == quote, last == quote else { return self }
        return part(1, count - 1)
    }

    /// The end of the run of `characters` and percent-encoded bytes that begins at `start`; nil where a `%` stands
    /// without its two digits (RFC 3986 §2.1).
    func endOfRun(of characters: Scan.Characters, from start: Int = 0) -> Int? {
        guard let baseAddress else { return start }
        var position = start
        while true {
            position += Scan.run(of: characters, baseAddress + position, count - position)
            guard position < count, self[position] == UInt8(ascii: "%") else { return position }
            guard position + 2 < count, self[position + 1].hexadecimalValue != nil,
                self[position + 2].hexadecimalValue != nil
            else { return nil }
            position += 3
        }
    }

    /// Whether every byte is of `characters`, and there is at least one.
    func consists(of characters: Scan.Characters) -> Bool {
        guard let baseAddress, count > 0 else { return false }
        return Scan.run(of: characters, baseAddress, count) == count
    }
}

extension UInt8 {
    static var cr: UInt8 { 0x0d }
    static var lf: UInt8 { 0x0a }
    @inlinable
    package static var space: UInt8 { 0x20 }
    static var tab: UInt8 { 0x09 }

    /// ASCII letters in lower case; every other byte as it is.
    @inline(__always)
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// Space or tab.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// Value of a hexadecimal digit in either case.
    @inline(__always)
    var hexadecimalValue: UInt8? {
        if self &- 0x30 < 10 { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}
