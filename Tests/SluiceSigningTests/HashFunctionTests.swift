import Testing

@testable import SluiceSigning

@Suite struct HashFunctionTests {
    static let abcDigests: [(HashFunction, String)] = [
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    /// NIST's examples for FIPS 180-4.
    @Test(arguments: abcDigests)
    func digests(function: HashFunction, digest: String) {
        #expect(HexadecimalText.text(function.digest(of: Array("abc".utf8))) == digest)
        #expect(function.digestBytes * 2 == digest.count)
    }

    @Test func digestOfNothing() {
        let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(HexadecimalText.text(HashFunction.sha256.digest(of: [])) == digest)
    }

    /// RFC 2202 §3 and RFC 4231 §4.2, §4.3, §4.7: a key longer than a block among them.
    @Test(arguments: [
        (
            HashFunction.sha1, Array("Jefe".utf8), "what do ya want for nothing?",
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        ),
        (
            .sha256, [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            .sha256, Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            .sha256, [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            .sha512, [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        // Nothing under an empty key.
        (.sha256, [], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func authenticationCodes(function: HashFunction, key: [UInt8], text: String, code: String) {
        let made = function.authenticationCode(of: Array(text.utf8), key: SecretBytes(key))
        #expect(HexadecimalText.text(made) == code)
    }

    /// An empty key is not the key of the call before.
    @Test func emptyKeysAreKeys() {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        _ = HashFunction.sha256.authenticationCode(of: [1], key: SecretBytes("other"))
        let code = HashFunction.sha256.authenticationCode(of: nothing, key: nothing)
        #expect(code == HashFunction.sha256.authenticationCode(of: [], key: SecretBytes("")))
    }
}
