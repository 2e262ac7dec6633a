import SluiceContract
import Testing

@Suite struct SensitiveNameTests {
    @Test(arguments: [
        "token", "access_token", "API-KEY", "key", "client_secret", "password", "passwd", "Authorization",
        "oauth_nonce",
        "X-Amz-Signature", "pin", "code", "appid", "sessionJWT", "author_auth", "passcode",
        "Passphrase",
    ])
    func matches(_ name: String) {
        #expect(SensitiveName.matches(name))
    }

    @Test(arguments: ["", "limit", "author", "authors", "country_code", "keys", "monkeys", "design", "passage", "app"])
    func leaves(_ name: String) {
        #expect(!SensitiveName.matches(name))
    }

    /// Numbers count and point under other names.
    @Test(arguments: [
        ("pin", true), ("OTP", true), ("password", true), ("client_secret", true), ("passcode", true), ("code", true),
        ("max_tokens", false), ("token_count", false), ("foreign_key", false), ("session", false), ("appid", false),
        ("limit", false),
    ])
    func aNumber(_ name: String, _ matches: Bool) {
        #expect(SensitiveName.matches(ofNumber: name.utf8) == matches)
    }
}
