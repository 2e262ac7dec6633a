internal import Glibc

/// Points in time in the formats that signatures use, in UTC.
enum DateText {
    /// `20150830T123600Z` (ISO 8601, the basic form).
    static func basic(_ seconds: Int) -> [UInt8] { text(seconds, "%Y%m%dT%H%M%SZ") }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). No program of Sluice sets a locale, so the names are English.
    static func http(_ seconds: Int) -> [UInt8] { text(seconds, "%a, %d %b %Y %H:%M:%S GMT") }

    private static func text(_ seconds: Int, _ format: String) -> [UInt8] {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return [UInt8](unsafeUninitializedCapacity: 40) { buffer, count in
            buffer.withMemoryRebound(to: CChar.self) { count = strftime($0.baseAddress!, $0.count, format, &parts) }
        }
    }
}
