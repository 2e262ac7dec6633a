/// Writes messages of Protocol Buffers: fields in the order in which they are given, each behind its tag.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    /// Encoding of a value on the wire.
    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
        case fixed32 = 5
    }

    mutating func varint(_ field: Int, _ value: UInt64) {
        tag(field, .varint)
        append(varint: value)
    }

    mutating func fixed64(_ field: Int, _ value: UInt64) {
        tag(field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func fixed32(_ field: Int, _ value: UInt32) {
        tag(field, .fixed32)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func data(_ field: Int, _ value: some Collection<UInt8>) {
        tag(field, .lengthDelimited)
        append(varint: UInt64(value.count))
        bytes += value
    }

    mutating func text(_ field: Int, _ value: String) { data(field, value.utf8) }

    /// A nested message.
    mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var inner = ProtobufWriter()
        write(&inner)
        data(field, inner.bytes)
    }

    private mutating func tag(_ field: Int, _ type: WireType) { append(varint: UInt64(field) << 3 | type.rawValue) }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
