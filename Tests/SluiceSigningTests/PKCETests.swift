import Testing

@testable import SluiceSigning

@Suite struct PKCETests {
    /// RFC 7636 Appendix B.
    @Test func example() {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let pkce = PKCE(verifier: Base64URL.text(octets))
        #expect(pkce.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// §4.1: 43 to 128 unreserved characters.
    @Test func verifiers() {
        let made = (0..<50).map { _ in PKCE().verifier }
        #expect(Set(made).count == 50)
        for verifier in made {
            #expect(verifier.count == 43)
            #expect(Base64URL.decode(verifier)?.count == PKCE.verifierBytes)
        }
    }
}
