/// `URL`: a URI reference (RFC 3986 §4.1), absolute or relative, not empty.
enum URLText {
    static func isReference(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count > 0, var rest = afterScheme(text) else { return false }
        if rest.count >= 2, rest[0] == UInt8(ascii: "/"), rest[1] == UInt8(ascii: "/") {
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(2))
            let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.count
            guard isAuthority(UnsafeBufferPointer(rebasing: rest[..<end])) else { return false }
            rest = UnsafeBufferPointer(rebasing: rest[end...])
        }
        return isPathQueryFragment(rest)
    }

    /// What follows the scheme; nil where a colon in the first segment is not preceded by a scheme (§4.2).
    private static func afterScheme(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard let stop = text.firstIndex(where: { ":/?#".utf8.contains($0) }), text[stop] == UInt8(ascii: ":") else {
            return text
        }
        guard stop > 0, isLetter(text[0]), text[..<stop].allSatisfy({ isSchemeByte($0) }) else { return nil }
        return UnsafeBufferPointer(rebasing: text[(stop + 1)...])
    }

    private static func isAuthority(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var host = text
        if let at = text.firstIndex(of: UInt8(ascii: "@")) {
            guard isEncoded(text[..<at], also: ":") else { return false }
            host = UnsafeBufferPointer(rebasing: text[(at + 1)...])
        }
        var portStart: Int?
        if host.first == UInt8(ascii: "[") {
            guard let close = host.firstIndex(of: UInt8(ascii: "]")),
                host[1..<close].allSatisfy({ isUnreserved($0) || isSubDelimiter($0) || $0 == UInt8(ascii: ":") }),
                close > 1
            else { return false }
            if close + 1 < host.count {
                guard host[close + 1] == UInt8(ascii: ":") else { return false }
                portStart = close + 2
            }
        } else {
            let colon = host.firstIndex(of: UInt8(ascii: ":"))
            guard isEncoded(host[..<(colon ?? host.count)], also: "") else { return false }
            portStart = colon.map { $0 + 1 }
        }
        guard let portStart else { return true }
        return host[portStart...].allSatisfy { NumberScan.isDigit($0) }
    }

    private static func isPathQueryFragment(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let hash = text.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        guard isEncoded(text[..<hash], also: ":@/?") else { return false }
        return hash == text.count || isEncoded(text[(hash + 1)...], also: ":@/?")
    }

    /// Unreserved bytes, sub-delimiters, whole percent-encodings, and the others that may stand here.
    private static func isEncoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, also others: StaticString) -> Bool {
        let others = UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard text.endIndex - index > 2, JSONText.hexadecimalDigit(text[index + 1]) != nil,
                    JSONText.hexadecimalDigit(text[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                guard isUnreserved(byte) || isSubDelimiter(byte) || others.contains(byte) else { return false }
                index += 1
            }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || NumberScan.isDigit(byte) || "+-.".utf8.contains(byte)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || NumberScan.isDigit(byte) || "-._~".utf8.contains(byte)
    }

    private static func isSubDelimiter(_ byte: UInt8) -> Bool {
        "!$&'()*+,;=".utf8.contains(byte)
    }
}
