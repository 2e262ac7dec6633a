internal import SluiceContract
internal import SluiceSigning

/// A token that is shown with a proof of the key which it is bound to (RFC 9449 §7.1).
struct DPoPSignature: RequestSignature {
    var fieldNames: [String] { ["Authorization", "DPoP"] }
    var coversBody: Bool { false }
    // §9.
    var serverNonce: ServerNonce? { ServerNonce(field: "DPoP-Nonce", demand: "use_dpop_nonce") }

    /// - Parameter secrets: the token, and the private key in PEM.
    func signer(with secrets: [[UInt8]]) throws(SignatureFault) -> any RequestSigner {
        guard secrets.count == 2 else { throw SignatureFault("the file of 'dpop-key' could not be read") }
        do throws(SigningKeyError) {
            return Signer(token: secrets[0], key: try SigningKey(pem: SecretBytes(secrets[1])))
        } catch {
            throw SignatureFault("'dpop-key' cannot be used: \(error.description)")
        }
    }

    private struct Signer: RequestSigner {
        let token: SecretBytes
        let tokenHash: String
        let key: SigningKey

        init(token: [UInt8], key: SigningKey) {
            self.token = SecretBytes(token)
            tokenHash = token.withUnsafeBytes { DPoPProof.accessTokenHash(of: $0) }
            self.key = key
        }

        func lines(for request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8] {
            func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
            let scheme = occasion.isSecure ? "https://" : "http://"
            let proof = DPoPProof(
                method: text(request.method), uri: scheme + text(request.host) + text(request.target),
                at: occasion.milliseconds / 1000, accessTokenHash: tokenHash,
                nonce: occasion.nonce.map { String(decoding: $0, as: UTF8.self) })
            var lines = Array("Authorization: DPoP ".utf8)
            token.withUnsafeBytes { lines += $0 }
            lines += "\r\nDPoP: ".utf8
            lines += proof.signed(by: key).utf8
            lines += "\r\n".utf8
            return lines
        }
    }
}
