internal import SluiceHTTP

/// Percent-encoding of what is put together to a request target (RFC 3986 §2).
enum PercentText {
    /// Everything but unreserved characters is encoded (RFC 3986 §2.3): a `/` in a value does not split the path, an
    /// `&` does not end a query item.
    static func encoded(_ text: String) -> String {
        String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
    }

    /// A path as its author wrote it: `/` and what else may stand in a path (RFC 3986 §3.3) is left, and so is what is
    /// percent-encoded already.
    static func encodedPath(_ path: String) -> String {
        let marks = "!$&'()*+,;=:@/%".utf8
        return encoded(path) { isUnreserved($0) || marks.contains($0) }
    }

    private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text behind percent-encoding; a `+` is a space where `plusIsSpace`, as in forms. Nothing where an encoded
    /// byte is cut or the bytes are no UTF-8.
    static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        Array(text.utf8).withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: plusIsSpace) }
            .flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
