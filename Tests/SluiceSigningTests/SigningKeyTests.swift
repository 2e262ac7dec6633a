import Testing

@testable import SluiceSigning

@Suite struct SigningKeyTests {
    /// The payload of RFC 7515 §A.2 and §A.3, with the line ends that it is signed with.
    static let payload = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"

    private func key(_ pem: String) throws(SigningKeyError) -> SigningKey { try SigningKey(pem: SecretBytes(pem)) }

    /// RFC 7515 §A.2.1: signatures of RS256 are always the same.
    @Test(arguments: [SampleKeys.rsa, SampleKeys.rsaTraditional])
    func rs256(pem: String) throws {
        let key = try key(pem)
        #expect(key.algorithm == .rs256)
        let token = JSONWebToken.compact(
            header: Array("{\"alg\":\"RS256\"}".utf8), payload: Array(Self.payload.utf8), by: key)
        #expect(
            token == "eyJhbGciOiJSUzI1NiJ9"
                + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
                + ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujG"
                + "bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K"
                + "0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6"
                + "LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
    }

    /// RFC 7515 §A.3.1. Signatures of ES256 differ each time, so those made here and the RFC's own are verified.
    @Test(arguments: [SampleKeys.ec, SampleKeys.ecTraditional])
    func es256(pem: String) throws {
        let key = try key(pem)
        #expect(key.algorithm == .es256)
        let example =
            "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        #expect(SignatureCheck.holds(example, publicPEM: SampleKeys.ecPublic))
        // Of so many, some have an r or an s that is shorter than 32 bytes.
        for _ in 0..<600 {
            let token = JSONWebToken.compact(
                header: Array("{\"alg\":\"ES256\"}".utf8), payload: Array(Self.payload.utf8), by: key)
            #expect(token.dropLast(86) == example.dropLast(86))
            #expect(SignatureCheck.holds(token, publicPEM: SampleKeys.ecPublic))
        }
    }

    @Test func anotherMessageHasAnotherSignature() throws {
        let token = JSONWebToken.signed(claims: [.init("a", 1)], by: try key(SampleKeys.ec))
        let parts = token.split(separator: ".")
        let other = JSONWebToken.signed(claims: [.init("a", 2)], by: try key(SampleKeys.ec)).split(separator: ".")
        #expect(!SignatureCheck.holds("\(other[0]).\(other[1]).\(parts[2])", publicPEM: SampleKeys.ecPublic))
    }

    /// RFC 8037 §A.4.
    @Test func edDSA() throws {
        let key = try key(SampleKeys.ed25519)
        #expect(key.algorithm == .edDSA)
        let token = JSONWebToken.compact(
            header: Array("{\"alg\":\"EdDSA\"}".utf8), payload: Array("Example of Ed25519 signing".utf8), by: key)
        #expect(
            token == "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
                + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
    }

    /// What stands before the key in a file is passed over.
    @Test(arguments: [
        SampleKeys.ecWithParameters, SampleKeys.ecCertificate + "\n" + SampleKeys.ec,
        "Bag Attributes\n    friendlyName: x\n" + SampleKeys.ec + "\n",
    ])
    func findsTheKey(pem: String) throws {
        #expect(try key(pem).algorithm == .es256)
    }

    @Test(arguments: [
        ("", SigningKeyError.notPEM), ("secret", .notPEM), (SampleKeys.ecEncrypted, .encrypted),
        (SampleKeys.ecTraditionalEncrypted, .encrypted), (SampleKeys.ecPublic, .noPrivateKey(label: "PUBLIC KEY")),
        (SampleKeys.ecCertificate, .noPrivateKey(label: "CERTIFICATE")), (SampleKeys.rsa1024, .weak(bits: 1024)),
        (SampleKeys.p384, .unsupported(kind: "secp384r1")), (SampleKeys.ed448, .unsupported(kind: "ED448")),
        (SampleKeys.x25519, .unsupported(kind: "X25519")),
        (SampleKeys.ecMixed, .damaged(reason: "its private and its public half do not belong together")),
    ])
    func refused(pem: String, error: SigningKeyError) {
        #expect(throws: error) { try key(pem) }
    }

    /// A file that is cut off anywhere.
    @Test(arguments: [SampleKeys.ec, SampleKeys.ed25519, SampleKeys.rsaTraditional])
    func truncated(pem: String) {
        for count in stride(from: 27, to: pem.utf8.count - 1, by: 7) {
            let error = #expect(throws: SigningKeyError.self) { try key(String(pem.prefix(count))) }
            guard case .damaged = error else {
                if case .noPrivateKey = error, count < 31 { continue }
                Issue.record("\(count) bytes: \(error as Any)")
                continue
            }
        }
    }

    @Test(arguments: [
        (SigningKeyError.notPEM, "it holds no PEM: give the file that begins with -----BEGIN PRIVATE KEY-----"),
        (.noPrivateKey(label: "PUBLIC KEY"), "it holds a public key: give the file with the private key"),
        (
            .encrypted,
            "the key has a passphrase: take it off with `openssl pkey -in FILE -out NEW`, and keep NEW to yourself"
        ),
        (
            .damaged(reason: "too long"),
            "the key is damaged (too long): get it again from where it was made"
        ),
        (
            .weak(bits: 1024),
            "an RSA key of 1024 bits can be broken; it needs 2048 (RFC 7518 §3.3): make a new one"
        ),
        (
            .unsupported(kind: "ED448"),
            "it is a key of the kind ED448: make one for RSA, EC on P-256 or Ed25519"
        ),
    ])
    func saysWhatToDo(error: SigningKeyError, text: String) {
        #expect(error.description == text)
    }
}
