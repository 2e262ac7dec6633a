/// `URL`: a URI reference (RFC 3986 §4.1), absolute or relative, not empty.
enum URLText {
    static func isReference(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count > 0, var rest = afterScheme(text) else { return false }
        if rest.count >= 2, rest[0] == UInt8(ascii: "/"), rest[1] == UInt8(ascii: "/") {
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(2))
            let end = rest.firstIndex { isPathStart($0) } ?? rest.count
            guard isAuthority(UnsafeBufferPointer(rebasing: rest[..<end])) else { return false }
            rest = UnsafeBufferPointer(rebasing: rest[end...])
        }
        return isPathQueryFragment(rest)
    }

    /// What follows the scheme; nil where a colon in the first segment is not preceded by a scheme (§4.2).
    private static func afterScheme(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard let stop = text.firstIndex(where: { !ByteSet.scheme.contains($0) }) else { return text }
        if text[stop] == UInt8(ascii: ":") {
            return stop > 0 && isLetter(text[0]) ? UnsafeBufferPointer(rebasing: text[(stop + 1)...]) : nil
        }
        let segmentEnd = text.firstIndex { isPathStart($0) } ?? text.count
        return text[..<segmentEnd].contains(UInt8(ascii: ":")) ? nil : text
    }

    private static func isAuthority(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var host = text
        if let at = text.firstIndex(of: UInt8(ascii: "@")) {
            guard isEncoded(text[..<at], .userinfo) else { return false }
            host = UnsafeBufferPointer(rebasing: text[(at + 1)...])
        }
        var portStart: Int?
        if host.first == UInt8(ascii: "[") {
            guard let close = host.firstIndex(of: UInt8(ascii: "]")),
                host[1..<close].allSatisfy({ ByteSet.userinfo.contains($0) }),
                close > 1
            else { return false }
            if close + 1 < host.count {
                guard host[close + 1] == UInt8(ascii: ":") else { return false }
                portStart = close + 2
            }
        } else {
            let colon = host.firstIndex(of: UInt8(ascii: ":"))
            guard isEncoded(host[..<(colon ?? host.count)], .host) else { return false }
            portStart = colon.map { $0 + 1 }
        }
        guard let portStart else { return true }
        return host[portStart...].allSatisfy { NumberScan.isDigit($0) }
    }

    private static func isPathQueryFragment(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let hash = text.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        guard isEncoded(text[..<hash], .pathQueryFragment) else { return false }
        return hash == text.count || isEncoded(text[(hash + 1)...], .pathQueryFragment)
    }

    /// Bytes of the set, and whole percent-encodings (§2.1).
    private static func isEncoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ set: ByteSet) -> Bool {
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if set.contains(byte) {
                index += 1
            } else {
                guard byte == UInt8(ascii: "%"), text.endIndex - index > 2,
                    JSONText.hexadecimalDigit(text[index + 1]) != nil,
                    JSONText.hexadecimalDigit(text[index + 2]) != nil
                else { return false }
                index += 3
            }
        }
        return true
    }

    /// Whether a byte ends a scheme or an authority where it is none of theirs.
    private static func isPathStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}

/// A set of ASCII bytes.
private struct ByteSet {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let bits = byte < 64 ? low : byte < 128 ? high : 0
        return bits &>> UInt64(byte & 63) & 1 != 0
    }

    /// Letters, digits, `+`, `-`, `.` (§3.1).
    static let scheme = ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
    /// Unreserved bytes, sub-delimiters (§2.2, §2.3) and `:`.
    static let userinfo = ByteSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    /// Unreserved bytes and sub-delimiters.
    static let host = ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    /// As `userinfo`, with `@`, `/` and `?` (§3.3 to §3.5).
    static let pathQueryFragment = ByteSet(low: 0xAFFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
}
