import Testing

@testable import SluiceSigning

@Suite struct SealedBoxTests {
    private let box: SealedBox
    private let context = Array("tokens".utf8)

    init() throws {
        box = try SealedBox(key: SecretBytes([UInt8](1...32)))
    }

    private func seal(_ text: String) -> [UInt8] {
        Array(text.utf8).withUnsafeBytes { box.seal($0, context: context) }
    }

    private func text(_ opened: SecretBytes) -> String {
        opened.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Test case 16 of the specification of GCM (McGrew and Viega) has other associated data than a box; the ciphertext
    /// does not depend on it.
    @Test func isAES256GCM() throws {
        let key = HexadecimalText.bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
        let plaintext = HexadecimalText.bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        let ciphertext =
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        let sealed = try plaintext.withUnsafeBytes {
            try SealedBox(key: SecretBytes(key)).seal(
                $0, context: [], nonce: HexadecimalText.bytes("cafebabefacedbaddecaf888"))
        }
        let start = SealedBox.headerBytes + SealedBox.nonceBytes
        #expect(HexadecimalText.text(sealed[start..<(sealed.count - SealedBox.tagBytes)].map { $0 }) == ciphertext)
    }

    @Test(arguments: ["", "x", String(repeating: "secret ", count: 10_000)])
    func opens(text: String) throws {
        let sealed = seal(text)
        #expect(SealedBox.isSealed(sealed))
        #expect(sealed.count == SealedBox.headerBytes + SealedBox.nonceBytes + text.utf8.count + SealedBox.tagBytes)
        #expect(try self.text(box.open(sealed, context: context)) == text)
    }

    @Test func noncesDiffer() {
        let nonces = (0..<100).map { _ in
            seal("x").dropFirst(SealedBox.headerBytes).prefix(SealedBox.nonceBytes)
        }
        #expect(Set(nonces).count == 100)
    }

    /// Each turned bit, of which those in the header tell of something else.
    @Test func damageIsSeen() {
        let sealed = seal("refresh")
        for bit in 0..<(sealed.count * 8) {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let expected: SealedBoxError =
                switch bit / 8 {
                case 0..<(SealedBox.headerBytes - 1): .notSealed
                case SealedBox.headerBytes - 1: .unknownVersion(damaged[SealedBox.headerBytes - 1])
                default: .wrongKeyOrDamaged
                }
            #expect(throws: expected) { try box.open(damaged, context: context) }
        }
    }

    @Test func truncationIsSeen() {
        let sealed = seal("refresh")
        for count in sealed.indices {
            let expected: SealedBoxError = count < SealedBox.headerBytes ? .notSealed : .wrongKeyOrDamaged
            #expect(throws: expected) { try box.open(Array(sealed[..<count]), context: context) }
        }
        #expect(throws: SealedBoxError.wrongKeyOrDamaged) { try box.open(sealed + [0], context: context) }
    }

    @Test func otherKeysAndContexts() throws {
        let sealed = seal("refresh")
        let other = try SealedBox(key: SecretBytes([UInt8](2...33)))
        #expect(throws: SealedBoxError.wrongKeyOrDamaged) { try other.open(sealed, context: context) }
        #expect(throws: SealedBoxError.wrongKeyOrDamaged) { try box.open(sealed, context: []) }
        #expect(throws: SealedBoxError.notSealed) { try box.open(Array("{\"a\": 1}".utf8), context: context) }
    }

    @Test(arguments: [0, 16, 31, 33])
    func keyLengths(count: Int) {
        let key = SecretBytes([UInt8](repeating: 1, count: count))
        #expect(throws: SealedBoxError.keyLength(count)) { try SealedBox(key: key) }
    }

    @Test(arguments: [
        (
            SealedBoxError.keyLength(5),
            "the key has 5 bytes and needs 32: make one with `openssl rand -out FILE 32`"
        ),
        (.notSealed, "it is not sealed: leave out the key, or seal it first"),
        (.unknownVersion(2), "it is sealed in version 2 of the format, and this program knows 1: update it"),
        (
            .wrongKeyOrDamaged,
            "it does not open: give the key that it was sealed with; if that is the one, the file is damaged"
        ),
    ])
    func saysWhatToDo(error: SealedBoxError, text: String) {
        #expect(error.description == text)
    }
}
