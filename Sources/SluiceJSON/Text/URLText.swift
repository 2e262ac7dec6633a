import CSIMD

/// `URL`: a URI reference (RFC 3986 §4.1), absolute or relative, not empty.
enum URLText {
    static func isReference(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress, text.count > 0 else { return false }
        let end = base + text.count
        guard var p = afterScheme(base, end) else { return false }
        if end - p >= 2, p[0] == UInt8(ascii: "/"), p[1] == UInt8(ascii: "/") {
            guard let path = afterAuthority(p + 2, end) else { return false }
            p = path
        }
        guard run(&p, end, SLUICE_URI_PATH) else { return false }
        if p == end { return true }
        // §3.5: the fragment, in which another `#` may not stand.
        guard p.pointee == UInt8(ascii: "#") else { return false }
        p += 1
        return run(&p, end, SLUICE_URI_PATH) && p == end
    }

    /// What follows the scheme; nil where a colon in the first segment is not preceded by a scheme (§4.2).
    private static func afterScheme(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        let stop = UnsafePointer(sluice_uri_run(start, end, SLUICE_URI_SCHEME))
        if stop == end { return start }
        if stop.pointee == UInt8(ascii: ":") {
            return stop > start && (start.pointee | 0x20) &- UInt8(ascii: "a") < 26 ? stop + 1 : nil
        }
        var p = stop
        while p < end {
            switch p.pointee {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return start
            case UInt8(ascii: ":"): return nil
            default: p += 1
            }
        }
        return start
    }

    /// What follows user information, host and port (§3.2); nil where they are ill-formed.
    private static func afterAuthority(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var p = start
        guard run(&p, end, SLUICE_URI_USERINFO) else { return nil }
        var host = start
        if p < end, p.pointee == UInt8(ascii: "@") { host = p + 1 }
        p = host
        if p < end, p.pointee == UInt8(ascii: "[") {
            p = UnsafePointer(sluice_uri_run(p + 1, end, SLUICE_URI_USERINFO))
            guard p < end, p.pointee == UInt8(ascii: "]"), p - host > 1 else { return nil }
            p += 1
        } else if !run(&p, end, SLUICE_URI_HOST) {
            return nil
        }
        if p < end, p.pointee == UInt8(ascii: ":") {
            repeat { p += 1 } while p < end && NumberScan.isDigit(p.pointee)
        }
        if p == end { return p }
        switch p.pointee {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return p
        default: return nil
        }
    }

    /// Passes bytes of a part, and whole percent-encodings (§2.1).
    /// - Returns: false where one is broken.
    private static func run(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ part: sluice_uri_part
    ) -> Bool {
        while true {
            p = UnsafePointer(sluice_uri_run(p, end, part))
            guard p < end, p.pointee == UInt8(ascii: "%") else { return true }
            guard end - p > 2, JSONText.hexadecimalDigit(p[1]) != nil, JSONText.hexadecimalDigit(p[2]) != nil else {
                return false
            }
            p += 3
        }
    }
}
