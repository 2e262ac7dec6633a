import CSIMD

/// Numbers as JSON writes them (RFC 8259 §6).
enum NumberText {
    /// Whether the bytes are one number and nothing else.
    static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0 else { return false }
        let number = sluice_json_number_at(start, start + text.count, true)
        return number.state == SLUICE_JSON_NUMBER_ENDED && number.end == start + text.count
    }

    /// Whether a byte may be part of a number.
    static func mayGoOn(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
