import Testing

@testable import SluiceSigning

@Suite struct ClientAssertionTests {
    private let key: SigningKey

    init() throws {
        key = try SigningKey(pem: SecretBytes(SampleKeys.ec))
    }

    /// RFC 7523 §3, with `client_id` as issuer and subject (§2.2).
    @Test func forAClient() throws {
        let assertion = try ClientAssertion(
            issuer: "client", subject: "client", audience: "https://idp.example/token", lifetime: 60, keyID: "16")
        let token = assertion.signed(by: key, at: 1_437_018_582, identifier: "one")
        #expect(SignatureCheck.holds(token, publicPEM: SampleKeys.ecPublic))
        #expect(TokenParts(token).header == "{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"16\"}")
        #expect(
            TokenParts(token).payload == "{\"iss\":\"client\",\"sub\":\"client\",\"aud\":\"https://idp.example/token\","
                + "\"iat\":1437018582,\"exp\":1437018642,\"jti\":\"one\"}")
    }

    /// As a grant, with claims of the service's own and nobody who is spoken for.
    @Test func asAGrant() throws {
        let assertion = try ClientAssertion(
            issuer: "me@accounts.example", subject: nil, audience: "https://idp.example/token",
            claims: [.init("scope", "read write"), .init("roles", .array(["a", "b"]))])
        let token = TokenParts(assertion.signed(by: key, at: 100, identifier: "two"))
        #expect(token.header == "{\"alg\":\"ES256\",\"typ\":\"JWT\"}")
        #expect(
            token.payload == "{\"iss\":\"me@accounts.example\",\"aud\":\"https://idp.example/token\","
                + "\"iat\":100,\"exp\":400,\"jti\":\"two\",\"scope\":\"read write\",\"roles\":[\"a\",\"b\"]}")
    }

    @Test func identifiersDiffer() throws {
        let assertion = try ClientAssertion(issuer: "a", subject: "a", audience: "b")
        #expect(
            TokenParts(assertion.signed(by: key, at: 1)).payload != TokenParts(assertion.signed(by: key, at: 1)).payload
        )
    }

    @Test(arguments: [["iss"], ["sub"], ["aud"], ["iat"], ["exp"], ["jti"], ["scope", "scope"]])
    func claimsStandOnce(names: [String]) {
        let error = #expect(throws: ClientAssertionError.self) {
            try ClientAssertion(
                issuer: "a", subject: nil, audience: "b", claims: names.map { JSONWebToken.Member($0, 1) })
        }
        #expect(
            error?.description
                == "the claim \(names[0]) is set already: leave it out of the additional claims")
    }
}
