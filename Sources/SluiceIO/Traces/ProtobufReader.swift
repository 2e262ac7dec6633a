/// Reads the fields of a message in Protocol Buffers' wire format. Damaged input ends it.
struct ProtobufReader {
    enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// Of a fixed length; skipped.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ message: ArraySlice<UInt8>) {
        rest = message
    }

    mutating func next() -> (number: UInt64, value: Value)? {
        guard let key = varint() else { return nil }
        switch key & 7 {
        case 0:
            guard let number = varint() else { return nil }
            return (key >> 3, .varint(number))
        case 1: return skip(8) ? (key >> 3, .fixed) : nil
        case 2:
            guard let length = varint(), length <= UInt64(rest.count) else { return nil }
            let bytes = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return (key >> 3, .bytes(bytes))
        case 5: return skip(4) ? (key >> 3, .fixed) : nil
        default: return nil
        }
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}
