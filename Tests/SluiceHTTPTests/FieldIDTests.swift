import Testing

@testable import SluiceHTTP

@Suite struct FieldIDTests {
    @Test(arguments: FieldID.allCases)
    func isFoundInAnyCase(_ id: FieldID) {
        let name = String(describing: id.canonicalName)
        for spelling in [name, name.lowercased(), name.uppercased()] where id != .other {
            #expect(spelling.withBytes { FieldID(name: $0) } == id)
        }
    }

    /// One byte off in every place, with bit 0x20 alone too: `-` must not equal CR, nor `@` a backtick.
    @Test(arguments: FieldID.allCases)
    func isNotFoundWithOneByteChanged(_ id: FieldID) {
        let name = Array(String(describing: id.canonicalName).utf8)
        for index in name.indices {
            for change in [UInt8(0x20), 0x40, 0x01, 0x80] {
                var other = name
                other[index] ^= change
                let isSameLetter = other[index].lowercased == name[index].lowercased
                let found = other.withUnsafeBytes { FieldID(name: $0) }
                #expect((found == id) == isSameLetter, "\(String(decoding: other, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: ["", "x", "Hos", "Hostt", "Content-Lengt", "Content-Length-", String(repeating: "a", count: 99)])
    func others(_ name: String) {
        #expect(name.withBytes { FieldID(name: $0) } == .other)
    }
}
