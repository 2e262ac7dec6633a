import Testing

@testable import SluiceSigning

@Suite struct PublicJWKTests {
    /// RFC 7638 §3.1.
    @Test func rsaThumbprint() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiF"
            + "V4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9"
            + "c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1"
            + "jF44-csFCur-kEgU8awapJzKnqDKgw"
        let key = PublicJWK(rsaModulus: try #require(Base64URL.decode(modulus)), exponent: [1, 0, 1])
        #expect(String(decoding: key.json, as: UTF8.self) == "{\"e\":\"AQAB\",\"kty\":\"RSA\",\"n\":\"\(modulus)\"}")
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    /// RFC 9449 §6.1: the `jkt` of the examples' key.
    @Test func ecThumbprint() throws {
        let key = PublicJWK(
            x: try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs")),
            y: try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")))
        #expect(key.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    /// RFC 7515 §A.3.1, RFC 8037 §A.2 and §A.3: what the key's file holds.
    @Test(arguments: [
        (
            SampleKeys.ec,
            "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}",
            nil
        ),
        (
            SampleKeys.ed25519,
            "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}",
            "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
        ),
    ])
    func fromKeys(pem: String, json: String, thumbprint: String?) throws {
        let jwk = try SigningKey(pem: SecretBytes(pem)).publicJWK
        #expect(String(decoding: jwk.json, as: UTF8.self) == json)
        if let thumbprint { #expect(jwk.thumbprint == thumbprint) }
    }

    /// RFC 7515 §A.2.1.
    @Test func fromAnRSAKey() throws {
        let members = try SigningKey(pem: SecretBytes(SampleKeys.rsa)).publicJWK.members
        #expect(members.map(\.name) == ["e", "kty", "n"])
        #expect(members[0].value == "AQAB")
        guard case .string(let modulus) = members[2].value else {
            Issue.record("no modulus")
            return
        }
        #expect(modulus.hasPrefix("ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp"))
        #expect(modulus.count == 342)
    }
}
