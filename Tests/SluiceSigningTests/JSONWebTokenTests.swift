import Testing

@testable import SluiceSigning

@Suite struct JSONWebTokenTests {
    @Test(arguments: [
        (JSONWebToken.Value.string("a\"b\\c\n\u{1}\u{1f}é/"), "\"a\\\"b\\\\c\\u000a\\u0001\\u001fé/\""),
        (.number(-1), "-1"), (true, "true"), (false, "false"), (.array([]), "[]"), (.object([]), "{}"),
        (.array(["a", 1, .array([true])]), "[\"a\",1,[true]]"),
        (
            .object([.init("b", 1), .init("a\"", .object([.init("c", "d")]))]), "{\"b\":1,\"a\\\"\":{\"c\":\"d\"}}"
        ),
    ])
    func text(value: JSONWebToken.Value, json: String) {
        #expect(String(decoding: value.json, as: UTF8.self) == json)
    }

    @Test func headerBeginsWithTheAlgorithm() throws {
        let key = try SigningKey(pem: SecretBytes(SampleKeys.ec))
        let token = JSONWebToken.signed(header: [.init("typ", "JWT")], claims: [.init("iss", "joe")], by: key)
        #expect(SignatureCheck.holds(token, publicPEM: SampleKeys.ecPublic))
        #expect(TokenParts(token).header == "{\"alg\":\"ES256\",\"typ\":\"JWT\"}")
        #expect(TokenParts(token).payload == "{\"iss\":\"joe\"}")
    }
}
