internal import SluiceSigning

/// A JWT assertion that is signed here (RFC 7523 §3).
struct Assertion {
    var issuer: String
    var subject: String
    var audience: String
    var keyID: String?

    /// - Parameter key: PEM.
    func signed(by key: [UInt8], at moment: Moment) throws(RequestFault) -> String {
        let signingKey: SigningKey
        do throws(SigningKeyError) {
            signingKey = try SigningKey(pem: SecretBytes(key))
        } catch {
            throw RequestFault("the key cannot be used: \(error.description)")
        }
        do throws(ClientAssertionError) {
            return try ClientAssertion(issuer: issuer, subject: subject, audience: audience, keyID: keyID)
                .signed(by: signingKey, at: moment.unix)
        } catch {
            throw RequestFault(error.description)
        }
    }
}
