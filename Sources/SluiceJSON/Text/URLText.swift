import CSIMD

/// `URL`: an absolute URL as clients send it (RFC 3986 §3, and whatever the parser of the WHATWG URL Standard accepts):
/// a scheme, a colon, and at least one character more; `http`, `https`, `ws`, `wss` and `ftp` have a host.
///
/// Brackets, braces, non-ASCII characters and stray `%` are accepted: APIs send names, templates (RFC 6570) and texts
/// in their URLs. Characters that would end a URL in text or markup are not: blanks, controls, quotes, `<`, `>` and
/// `\`.
enum URLText {
    static func isURL(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress, text.count > 0 else { return false }
        let end = base + text.count
        let colon = UnsafePointer(sluice_uri_run(base, end, SLUICE_URI_SCHEME))
        guard colon < end, colon.pointee == UInt8(ascii: ":"), (base.pointee | 0x20) &- UInt8(ascii: "a") < 26,
            colon + 1 < end, UnsafePointer(sluice_uri_run(colon, end, SLUICE_URI_ANY)) == end
        else { return false }
        if !needsHost(UnsafeBufferPointer(start: base, count: colon - base)) { return true }
        guard end - colon > 3, colon[1] == UInt8(ascii: "/"), colon[2] == UInt8(ascii: "/") else { return false }
        return hasHost(colon + 3, end)
    }

    /// Whether the text could be a relative reference (RFC 3986 §4.2).
    static func isRelative(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress,
            UnsafePointer(sluice_uri_run(base, base + text.count, SLUICE_URI_ANY)) == base + text.count
        else { return false }
        return !text.prefix { !"/?#".utf8.contains($0) }.contains(UInt8(ascii: ":"))
    }

    private static func needsHost(_ scheme: UnsafeBufferPointer<UInt8>) -> Bool {
        ["http", "https", "ws", "wss", "ftp"].contains { (known: StaticString) in
            known.utf8CodeUnitCount == scheme.count
                && scheme.indices.allSatisfy { scheme[$0] | 0x20 == known.utf8Start[$0] }
        }
    }

    /// Whether there is a host between user information and port, and the port is valid (RFC 3986 §3.2).
    private static func hasHost(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        let stop = UnsafePointer(sluice_uri_run(start, end, SLUICE_URI_AUTHORITY))
        var host = start
        var p = start
        while p < stop {
            p += 1
            if p[-1] == UInt8(ascii: "@") { host = p }
        }
        p = host
        if p < stop, p.pointee == UInt8(ascii: "[") {
            p = UnsafePointer(sluice_uri_run(p + 1, stop, SLUICE_URI_ADDRESS))
            guard p < stop, p.pointee == UInt8(ascii: "]"), p - host > 1 else { return false }
            p += 1
        } else {
            p = UnsafePointer(sluice_uri_run(p, stop, SLUICE_URI_HOST))
            if p == host { return false }
        }
        guard p < stop else { return true }
        guard p.pointee == UInt8(ascii: ":") else { return false }
        return isPort(UnsafeBufferPointer(start: p + 1, count: stop - p - 1))
    }

    /// A port is a number up to 65535, or empty (RFC 3986 §3.2.3).
    private static func isPort(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
        var port = 0
        for digit in digits {
            guard sluice_json_is_digit(digit), port < 65_536 else { return false }
            port = port * 10 + Int(digit & 15)
        }
        return port < 65_536
    }
}
