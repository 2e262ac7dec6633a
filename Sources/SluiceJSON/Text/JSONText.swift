import CSIMD
import SluiceContract

/// JSON strings as text.
public enum JSONText {
    /// The text as a JSON string, with only the escapes that RFC 8259 §7 requires.
    public static func quote(_ text: String) -> String { JSONEscape.quoted(text) }

    /// The text of a JSON string, which has its quotes; nil if `json` is not a string.
    public static func unquote(_ json: String, limits: JSONLimits = JSONLimits()) -> String? {
        var json = json
        return json.withUTF8 { bytes in
            guard JSONCheck.isValid(UnsafeRawBufferPointer(bytes), limits: limits),
                bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"")
            else { return nil }
            return text(of: UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast()))
        }
    }

    /// The text of a valid JSON string that is given without its quotes.
    static func text(of inside: UnsafeBufferPointer<UInt8>) -> String {
        var bytes: [UInt8] = []
        unescape(inside) { bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: $1)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Passes runs of unescaped text to `body`; the escapes have been checked.
    static func unescape(_ inside: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
        guard var p = inside.baseAddress else { return }
        let end = p + inside.count
        while p < end {
            var run = p
            while run < end, run.pointee != UInt8(ascii: "\\") { run += 1 }
            if run > p { body(p, run - p) }
            p = run
            if p == end { return }
            unescapeOne(&p, body)
        }
    }

    private static func unescapeOne(_ p: inout UnsafePointer<UInt8>, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
        let byte = p[1]
        p += 2
        let plain: UInt8
        switch byte {
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            var scalar = UInt32(unit(p))
            p += 4
            if scalar & 0xFC00 == 0xD800 {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + UInt32(unit(p + 2)) & 0x3FF
                p += 6
            }
            return encode(scalar, body)
        default: plain = byte
        }
        withUnsafePointer(to: plain) { body($0, 1) }
    }

    private static func unit(_ digits: UnsafePointer<UInt8>) -> UInt16 {
        var unit: UInt16 = 0
        for index in 0..<4 { unit = unit << 4 | UInt16(max(sluice_json_hex_digit(digits[index]), 0)) }
        return unit
    }

    private static func encode(_ scalar: UInt32, _ body: (UnsafePointer<UInt8>, Int) -> Void) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { bytes in
            guard let base = bytes.baseAddress else { return }
            switch scalar {
            case 0..<0x80:
                bytes[0] = UInt8(scalar)
                body(base, 1)
            case 0x80..<0x800:
                bytes[0] = 0xC0 | UInt8(scalar >> 6)
                bytes[1] = tail(0)
                body(base, 2)
            case 0x800..<0x10000:
                bytes[0] = 0xE0 | UInt8(scalar >> 12)
                bytes[1] = tail(6)
                bytes[2] = tail(0)
                body(base, 3)
            default:
                bytes[0] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
                bytes[1] = tail(12)
                bytes[2] = tail(6)
                bytes[3] = tail(0)
                body(base, 4)
            }
        }
    }

    /// The longest prefix of a valid string's inside, at most `limit` bytes, that cuts no character and no escape.
    static func prefix(ofInside inside: UnsafePointer<UInt8>, _ count: Int, _ limit: Int) -> Int {
        let most = prefix(inside, count, limit)
        var kept = 0
        while kept < most {
            let left = most - kept
            var length = 1
            if inside[kept] == UInt8(ascii: "\\") {
                length = left > 1 && inside[kept + 1] == UInt8(ascii: "u") ? 6 : 2
                // The first of two surrogates.
                if length == 6, left >= 6, unit(inside + kept + 2) & 0xFC00 == 0xD800 { length = 12 }
            }
            if length > left { return kept }
            kept += length
        }
        return kept
    }

    /// The longest prefix, at most `limit` bytes, that cuts no character.
    static func prefix(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ limit: Int) -> Int {
        if count <= limit { return count }
        var kept = limit
        while kept > 0, bytes[kept] & 0xC0 == 0x80 { kept -= 1 }
        return kept
    }
}
