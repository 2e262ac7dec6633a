/// Why a key cannot sign. The description is to be shown after the file's name; it never holds key material.
public enum SigningKeyError: Error, Hashable, Sendable {
    /// The file holds no PEM.
    case notPEM
    /// The PEM holds something else than a private key: `CERTIFICATE`, `PUBLIC KEY`, …
    case noPrivateKey(label: String)
    /// The key has a passphrase.
    case encrypted
    /// OpenSSL cannot read the PEM, or the private and public parts of the key do not match.
    case damaged(reason: String)
    /// An RSA key with too few bits.
    case weak(bits: Int)
    /// A key of another kind: `ED448`, `secp384r1`, …
    case unsupported(kind: String)
}

extension SigningKeyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPEM: "it holds no PEM: give the file that begins with -----BEGIN PRIVATE KEY-----"
        case .noPrivateKey(let label): "it holds a \(label.lowercased()): give the file with the private key"
        case .encrypted:
            "the key has a passphrase: take it off with `openssl pkey -in FILE -out NEW`, and keep NEW to yourself"
        case .damaged(let reason): "the key is damaged (\(reason)): get it again from where it was made"
        case .weak(let bits):
            "an RSA key of \(bits) bits can be broken; it needs \(SigningKey.rsaBitsMin) (RFC 7518 §3.3): "
                + "make a new one"
        case .unsupported(let kind):
            "it is a key of the kind \(kind): make one for RSA, EC on P-256 or Ed25519"
        }
    }
}
