import Testing

@testable import SluiceSigning

@Suite struct DPoPProofTests {
    /// RFC 9449 §4.1 and §7.1: the payloads of figures 2 and 12 as they travel, and the same with a nonce (§8).
    @Test(arguments: [
        (
            "POST", "https://server.example.com/token", 1_562_262_616, "-BwC3ESc6acc2lTc", nil, nil,
            "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2Vu"
                + "IiwiaWF0IjoxNTYyMjYyNjE2fQ"
        ),
        (
            "GET", "https://resource.example.org/protectedresource", 1_562_262_618, "e1j3V_bKic8-LAEB",
            "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU", nil,
            "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90"
                + "ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NB"
                + "cWtzbVFFbyJ9"
        ),
        (
            "GET", "https://a.example/b?c=d#e", 5, "id", nil, "n\"1",
            Base64URL.text(
                Array(#"{"jti":"id","htm":"GET","htu":"https://a.example/b","iat":5,"nonce":"n\"1"}"#.utf8))
        ),
        (
            "GET", "https://a.example/b#c?d", 5, "id", nil, nil,
            Base64URL.text(Array(#"{"jti":"id","htm":"GET","htu":"https://a.example/b","iat":5}"#.utf8))
        ),
    ])
    func payloads(
        method: String, uri: String, now: Int, identifier: String, token: String?, nonce: String?, payload: String
    ) throws {
        let hash = token.map { token in
            Array(token.utf8).withUnsafeBytes { DPoPProof.accessTokenHash(of: $0) }
        }
        let proof = DPoPProof(
            method: method, uri: uri, at: now, accessTokenHash: hash, nonce: nonce, identifier: identifier)
        let signed = try proof.signed(by: SigningKey(pem: SecretBytes(SampleKeys.ec)))
        #expect(signed.split(separator: ".")[1] == payload)
        #expect(SignatureCheck.holds(signed, publicPEM: SampleKeys.ecPublic))
        #expect(
            TokenParts(signed).header
                == #"{"alg":"ES256","typ":"dpop+jwt","jwk":{"crv":"P-256","kty":"EC","#
                + #""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
                + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}}"#
        )
    }

    @Test func identifiersDiffer() throws {
        let key = try SigningKey(pem: SecretBytes(SampleKeys.ed25519))
        let proofs = (0..<10).map { _ in DPoPProof(method: "GET", uri: "https://a.example/", at: 1).signed(by: key) }
        #expect(Set(proofs).count == 10)
    }
}
