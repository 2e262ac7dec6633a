import Testing

@testable import SluiceHTTP

/// RFC 9112 §9.3.
@Suite struct ConnectionOptionsTests {
    @Test(arguments: [
        ([], true, false), (["close"], false, false), (["keep-alive"], true, true),
        (["Keep-Alive, Close"], false, false),
        (["keep-alive", "CLOSE"], false, false), (["closed"], true, false), (["x,, keep-alive ,"], true, true),
    ])
    func keepsAlive(_ values: [String], _ http11: Bool, _ http10: Bool) {
        var options = ConnectionOptions()
        for value in values { #expect(value.withBytes { options.read($0) }) }
        #expect(options.keepsAlive(.http11) == http11)
        #expect(options.keepsAlive(.http10) == http10)
    }

    @Test(arguments: ["a b", "a;b", "\"close\"", "é"])
    func refuses(_ value: String) {
        var options = ConnectionOptions()
        #expect(!value.withBytes { options.read($0) })
    }
}
