/// `host` or `host:port`, checked (RFC 9110 §4.2, §7.2; RFC 3986 §3.2.2).
///
/// Stricter than the grammar where that is ambiguous: no userinfo, no percent-encoding, no sub-delims, no empty host,
/// no impossible port.
public struct HostField {
    /// Without the brackets of an IPv6 literal.
    public let host: UnsafeRawBufferPointer
    /// nil where the field names no port, or an empty one, which is equivalent (RFC 3986 §3.2.3, §6.2.3).
    public let port: Int?
    /// The value as read, `host` or `host:port`, without the colon of an empty port.
    public let authority: UnsafeRawBufferPointer
    public let isIPv6: Bool

    public init?(_ value: UnsafeRawBufferPointer) {
        guard let first = value.first else { return nil }
        let hostEnd: Int
        if first == UInt8(ascii: "[") {
            let close = value.place(of: UInt8(ascii: "]"))
            guard close < value.count else { return nil }
            host = value.part(1, close)
            isIPv6 = true
            hostEnd = close + 1
            guard Self.isIPv6Literal(host) else { return nil }
        } else {
            hostEnd = value.place(of: UInt8(ascii: ":"))
            host = value.part(0, hostEnd)
            isIPv6 = false
            guard host.count <= 255, host.consists(of: .host) else { return nil }
        }
        if hostEnd == value.count || hostEnd + 1 == value.count && value[hostEnd] == UInt8(ascii: ":") {
            port = nil
            authority = value.part(0, hostEnd)
            return
        }
        authority = value
        guard value[hostEnd] == UInt8(ascii: ":"), let number = Self.portNumber(value.part(hostEnd + 1, value.count))
        else { return nil }
        port = number
    }

    private static func portNumber(_ digits: UnsafeRawBufferPointer) -> Int? {
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 5 else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int(digit &- 0x30)
        }
        return number <= 65535 ? number : nil
    }

    /// Groups of one to four digits, at most one `::`, an IPv4 address in the place of the last two (RFC 3986 §3.2.2).
    private static func isIPv6Literal(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 2, text.count <= 45 else { return false }
        var groups = 0
        var hasGap = false
        var position = 0
        while position < text.count {
            if text[position] == UInt8(ascii: ":") {
                guard position + 1 < text.count, text[position + 1] == UInt8(ascii: ":") else { return false }
                guard !hasGap else { return false }
                hasGap = true
                position += 2
                continue
            }
            let end = text.place(of: UInt8(ascii: ":"), from: position)
            let group = text.part(position, end)
            if group.contains(UInt8(ascii: ".")) {
                guard end == text.count, isIPv4(group) else { return false }
                groups += 2
                break
            }
            guard group.count <= 4, group.consists(of: .hexadecimal) else { return false }
            groups += 1
            position = end
            // A single colon leads to the next group; two are the gap, which the next round reads.
            if position < text.count, position + 1 == text.count { return false }
            if position + 1 < text.count, text[position + 1] != UInt8(ascii: ":") { position += 1 }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    private static func isIPv4(_ text: UnsafeRawBufferPointer) -> Bool {
        var parts = 0
        var position = 0
        while position <= text.count {
            let end = text.place(of: UInt8(ascii: "."), from: position)
            guard (1...3).contains(end - position) else { return false }
            var number = 0
            for digit in text.part(position, end) {
                guard digit.isDigit else { return false }
                number = number * 10 + Int(digit &- 0x30)
            }
            guard number <= 255 else { return false }
            parts += 1
            position = end + 1
        }
        return parts == 4
    }
}
