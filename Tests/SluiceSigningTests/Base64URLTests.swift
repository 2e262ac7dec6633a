import SluiceSigning
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 §10 without padding, RFC 7515 Appendix C, and both characters that other alphabets have otherwise.
    @Test(arguments: [
        ("", ""), ("66", "Zg"), ("666f", "Zm8"), ("666f6f", "Zm9v"), ("666f6f62", "Zm9vYg"), ("666f6f6261", "Zm9vYmE"),
        ("666f6f626172", "Zm9vYmFy"), ("03ecffe0c1", "A-z_4ME"), ("00", "AA"), ("0000", "AAA"), ("000000", "AAAA"),
    ])
    func bothWays(bytes: String, text: String) {
        #expect(Base64URL.text(HexadecimalText.bytes(bytes)) == text)
        #expect(Base64URL.decode(text) == HexadecimalText.bytes(bytes))
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Z", "Zm9vY", " Zm9v", "Zm9v ", "Zm9v\n", "Zm\n9v", "A+z/4ME", "A-z/4ME", "Zh", "Zm9",
        "Zm9v\u{0}",
        "Zm9vé", "=", "====", "AAAA====", "Zm8=Zm8", "Zg=A",
    ])
    func refused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyLength() {
        for count in 0..<100 {
            let bytes = SecureRandom.bytes(count)
            #expect(bytes.count == count)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
