import CSIMD

/// Quick looks at numbers and words that are wholly in the chunk.
enum Scalars {
    /// Bytes that are readable where there is a quick look.
    private static let bytes = 48

    /// Whether a scalar may end before this byte: nothing between it and the next place of the list is unlooked at.
    @inline(__always)
    static func mayEnd(before byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }

    /// Where the number or the word at `start` ends; nil where it is unusual, or something else.
    @inline(__always)
    static func quickEnd(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        if start.pointee >= UInt8(ascii: "a") {
            let length = wordLength(start, end)
            return length > 0 && start + length < end && mayEnd(before: start[length]) ? start + length : nil
        }
        var isInteger = false
        return quickNumber(start, end, &isInteger)
    }

    /// Where the number at `start` ends; nil where it has an exponent or very many digits, breaks the grammar, or is
    /// none.
    @inline(__always)
    static func quickNumber(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ isInteger: inout Bool
    ) -> UnsafePointer<UInt8>? {
        guard end - start >= bytes else { return nil }
        var p = start.pointee == UInt8(ascii: "-") ? start + 1 : start
        let digits = p
        p += Int(sluice_json_digits(p))
        if p - digits == 8 {
            p += Int(sluice_json_digits(p))
            if p - digits == 16 { p += Int(sluice_json_digits(p)) }
        }
        if p == digits || (digits.pointee == UInt8(ascii: "0") && p - digits > 1) { return nil }
        if p.pointee != UInt8(ascii: ".") {
            isInteger = true
            return mayEnd(before: p.pointee) ? p : nil
        }
        p += 1
        let fraction = p
        p += Int(sluice_json_digits(p))
        if p - fraction == 8 { p += Int(sluice_json_digits(p)) }
        return p > fraction && mayEnd(before: p.pointee) ? p : nil
    }

    /// Length of the word at `p`; 0 where there is none, or where it has to be looked at letter by letter.
    @inline(__always)
    static func wordLength(_ p: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        guard end - p >= 5 else { return 0 }
        switch UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)) {
        case 0x6C6C_756E, 0x6575_7274: return 4
        case 0x736C_6166: return p[4] == UInt8(ascii: "e") ? 5 : 0
        default: return 0
        }
    }
}
