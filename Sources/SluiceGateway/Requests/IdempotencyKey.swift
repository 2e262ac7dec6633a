internal import SluiceContract
internal import SluiceHTTP

/// A key by which the server tells a second attempt from a second request: a random UUID (RFC 9562 §5.4).
enum IdempotencyKey {
    /// Adds a new key, unless the client sent one.
    static func add(to fields: inout HeaderBlock, as field: [UInt8], _ random: inout RandomSource) {
        for index in 0..<fields.count where !fields.isMarked(index) {
            if fields.name(index).equalsIgnoringCase(field), !fields.value(index).isEmpty { return }
        }
        let key = Array(uuid(&random).utf8)
        field.withUnsafeBytes { name in key.withUnsafeBytes { fields.append(name: name, value: $0) } }
    }

    private static func uuid(_ random: inout RandomSource) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let parts: [(UInt64, digits: Int)] = [
            (high >> 32, 8), (high >> 16 & 0xFFFF, 4), (high & 0xFFFF, 4), (low >> 48, 4), (low & 0xFFFF_FFFF_FFFF, 12),
        ]
        return parts.map { Hexadecimal.text($0.0, digits: $0.digits) }.joined(separator: "-")
    }
}
