/// Percent-encoding of path segments and query values, whole and in one pass (RFC 3986 §2.1).
public enum PercentEncoding {
    /// Which component of a URI a value becomes.
    public enum Component: Sendable {
        /// Everything but unreserved characters is encoded, so that a `/` in a value never becomes a separator.
        case pathSegment
        /// The same, so that no `&`, `=`, `+` or `#` in a value is taken for syntax.
        case queryValue
    }

    /// The most bytes that the encoding of `count` bytes takes.
    public static func encodedCountMax(_ count: Int) -> Int { count * 3 }

    /// Encodes a value into `buffer`, which has room for ``encodedCountMax(_:)``.
    /// - Returns: bytes written.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer, as component: Component, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(buffer.count >= encodedCountMax(bytes.count), "no room for the encoded value")
        guard let base = bytes.baseAddress, let target = buffer.baseAddress else { return 0 }
        var read = 0
        var written = 0
        while read < bytes.count {
            let run = Scan.run(of: .unreserved, base + read, bytes.count - read)
            (target + written).copyMemory(from: base + read, byteCount: run)
            read += run
            written += run
            if read < bytes.count {
                put(bytes[read], at: target + written)
                read += 1
                written += 3
            }
        }
        return written
    }

    /// Appends the encoded value.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer, as component: Component, into outbox: inout Outbox
    ) {
        guard bytes.count > 0 else { return }
        outbox.append(upTo: encodedCountMax(bytes.count)) { encode(bytes, as: component, into: $0) }
    }

    /// Decodes a path segment or, with `plusIsSpace`, a value of a query or form.
    /// - Parameter buffer: has room for `bytes.count`.
    /// - Returns: bytes written; nil where a `%` stands without its two digits.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int? {
        precondition(buffer.count >= bytes.count, "no room for the decoded value")
        var read = 0
        var written = 0
        while read < bytes.count {
            var byte = bytes[read]
            read += 1
            if byte == UInt8(ascii: "%") {
                guard read + 1 < bytes.count, let high = bytes[read].hexadecimalValue,
                    let low = bytes[read + 1].hexadecimalValue
                else { return nil }
                byte = high << 4 | low
                read += 2
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                byte = .space
            }
            buffer[written] = byte
            written += 1
        }
        return written
    }

    /// Whether a value is `.` or `..`: in a path, such a segment is a step to another level and not a name, and
    /// encoding it does not help, because an encoded dot means the same (RFC 3986 §6.2.2.2). Code that fills a path has
    /// to refuse such a value.
    public static func isDotSegment(_ value: UnsafeRawBufferPointer) -> Bool {
        (1...2).contains(value.count) && value.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Whether every `%` has its two digits.
    public static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].hexadecimalValue != nil,
                    bytes[index + 2].hexadecimalValue != nil
                else { return false }
                index += 2
            }
            index += 1
        }
        return true
    }

    private static func put(_ byte: UInt8, at target: UnsafeMutableRawPointer) {
        target.storeBytes(of: UInt8(ascii: "%"), as: UInt8.self)
        target.storeBytes(of: digit(byte >> 4), toByteOffset: 1, as: UInt8.self)
        target.storeBytes(of: digit(byte & 15), toByteOffset: 2, as: UInt8.self)
    }

    /// Upper-case, as RFC 3986 §2.1 asks for.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? value &+ 0x30 : value &+ 0x37
    }
}
