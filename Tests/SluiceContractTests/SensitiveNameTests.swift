import SluiceContract
import Testing

@Suite struct SensitiveNameTests {
    @Test(arguments: [
        "token", "access_token", "API-KEY", "key", "client_secret", "password", "passwd", "Authorization",
        "oauth_nonce",
        "X-Amz-Signature", "pin", "code", "appid", "sessionJWT", "author_auth", "passcode",
        "Passphrase", "apiKey", "api_key", "APIKEY", "accesskey", "sortKey", "session", "sessionToken", "monkeyKey",
        "monkey_key", "apimonkey", "monKey", "mon-key", "monkey[key]", "secretary_password", "possessionToken",
    ])
    func matches(_ name: String) {
        #expect(SensitiveName.matches(name))
    }

    @Test(arguments: [
        "", "limit", "author", "authors", "country_code", "keys", "monkeys", "design", "passage", "app", "monkey",
        "MONKEY", "big_monkey", "bigMonkey", "APIMonkey", "monkey2", "zoo[monkey]", "secretary", "Possession",
    ])
    func leaves(_ name: String) {
        #expect(!SensitiveName.matches(name))
    }

    /// APIs expect keys and sessions in any part of a field's name, but not in an ordinary word.
    @Test(arguments: [
        ("X-Keyed", true), ("X-Session-Id", true), ("Set-Cookie", true), ("X-Keyboard-Key", true),
        ("X-Monkey-Cookie", true), ("X-Keyboard", false), ("X-Keywords", false), ("Monkey", false),
        ("X-Possession", false), ("Accept", false),
    ])
    func aField(_ name: String, _ matches: Bool) {
        #expect(SensitiveName.matches(field: name) == matches)
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
