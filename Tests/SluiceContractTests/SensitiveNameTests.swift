import SluiceContract
import Testing

@Suite struct SensitiveNameTests {
    @Test(arguments: [
        "token", "access_token", "API-KEY", "key", "client_secret", "password", "passwd", "Authorization",
        "oauth_nonce",
        "X-Amz-Signature", "pin", "code", "appid", "sessionJWT", "author_auth",
    ])
    func matches(_ name: String) {
        #expect(SensitiveName.matches(name))
    }

    @Test(arguments: ["", "limit", "author", "authors", "country_code", "keys", "monkeys", "design", "passage", "app"])
    func leaves(_ name: String) {
        #expect(!SensitiveName.matches(name))
    }
}
