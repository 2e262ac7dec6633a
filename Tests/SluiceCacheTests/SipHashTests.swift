import Testing

@testable import SluiceCache

@Suite struct SipHashTests {
    /// The published vectors of SipHash-2-4 with 128 bits: key 00…0f, input 00, 01, 02, ….
    @Test func vectors() {
        let key = (UInt64(0x0706_0504_0302_0100), UInt64(0x0f0e_0d0c_0b0a_0908))
        var empty = SipHash(key.0, key.1)
        empty.combine(UnsafeRawBufferPointer(start: nil, count: 0))
        let first = empty.finish()
        #expect(first.0.byteSwapped == 0xa381_7f04_ba25_a8e6)
        #expect(first.1.byteSwapped == 0x6df6_7214_c755_0293)
    }

    @Test(arguments: 0..<40)
    func cutAnywhere(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var whole = SipHash(1, 2)
        bytes.withUnsafeBytes { whole.combine($0) }
        let wanted = whole.finish()
        for cut in 0...count {
            var parts = SipHash(1, 2)
            Array(bytes[..<cut]).withUnsafeBytes { parts.combine($0) }
            Array(bytes[cut...]).withUnsafeBytes { parts.combine($0) }
            let found = parts.finish()
            #expect(found.0 == wanted.0 && found.1 == wanted.1)
        }
    }
}
