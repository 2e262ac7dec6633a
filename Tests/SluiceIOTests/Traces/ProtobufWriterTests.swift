import Testing

@testable import SluiceIO

/// Protocol Buffers, "Encoding".
@Suite struct ProtobufWriterTests {
    private static func bytes(_ write: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter()
        write(&writer)
        return writer.bytes
    }

    @Test(
        arguments: [
            (0, [0x08, 0x00]), (127, [0x08, 0x7F]), (150, [0x08, 0x96, 0x01]), (300, [0x08, 0xAC, 0x02]),
            (.max, [0x08] + Array(repeating: 0xFF, count: 9) + [0x01]),
        ] as [(UInt64, [UInt8])])
    func writesVarints(_ value: UInt64, _ bytes: [UInt8]) {
        #expect(Self.bytes { $0.varint(1, value) } == bytes)
    }

    @Test func writesFields() {
        #expect(Self.bytes { $0.text(2, "testing") } == [0x12, 0x07] + Array("testing".utf8))
        #expect(Self.bytes { $0.fixed64(7, 1) } == [0x39, 1, 0, 0, 0, 0, 0, 0, 0])
        // A field's number above 15 takes two bytes.
        #expect(Self.bytes { $0.fixed32(16, 0x0102_0304) } == [0x85, 0x01, 4, 3, 2, 1])
        #expect(Self.bytes { $0.message(3) { $0.varint(1, 150) } } == [0x1A, 0x03, 0x08, 0x96, 0x01])
        #expect(Self.bytes { $0.data(1, [UInt8](repeating: 7, count: 200)) }.prefix(3) == [0x0A, 0xC8, 0x01])
    }
}
