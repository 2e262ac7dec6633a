/// Writes `application/x-www-form-urlencoded`, as RFC 6749 Appendix B demands.
struct FormBody {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += Self.encoded(name)
        bytes.append(UInt8(ascii: "="))
        bytes += Self.encoded(value)
    }

    mutating func add(_ name: String, _ value: String?) {
        if let value { add(name, value) }
    }

    static func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "*"):
                bytes.append(byte)
            case 0x20: bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return bytes
    }
}
