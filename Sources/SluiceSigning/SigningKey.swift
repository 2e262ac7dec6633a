internal import COpenSSL

/// A private key that signs tokens: RSA, EC on P-256 or Ed25519.
///
/// OpenSSL wipes the key when it is no longer used. Sendable because nothing in it changes after `init` except what
/// OpenSSL guards with its own locks.
public final class SigningKey: @unchecked Sendable {
    /// `alg` of the tokens (RFC 7518 §3.1, RFC 8037 §3.1).
    public enum Algorithm: String, Sendable {
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }

    /// RFC 7518 §3.3.
    static let rsaBitsMin = 2048
    /// Bytes of r and of s on P-256 (RFC 7518 §3.4).
    static let coordinateBytes = 32

    public let algorithm: Algorithm
    /// The public key, for the header of DPoP proofs and for thumbprints.
    public let publicJWK: PublicJWK
    /// An EVP_PKEY.
    let handle: OpaquePointer

    /// Reads a key and signs with it once, so that an unusable key is found now.
    /// - Parameter pem: PKCS #8 (RFC 5958), or the older forms of RSA (RFC 8017 §A.1.2) and EC (RFC 5915). Its memory
    ///   is the caller's to wipe.
    public convenience init(pem: UnsafeRawBufferPointer) throws(SigningKeyError) {
        try self.init(handle: Self.read(pem))
    }

    /// Reads a key and signs with it once, so that an unusable key is found now.
    public convenience init(pem: SecretBytes) throws(SigningKeyError) {
        try self.init(handle: pem.withUnsafeBytes { pem throws(SigningKeyError) in try Self.read(pem) })
    }

    /// - Parameter handle: owned by the new object from now on.
    private init(handle: OpaquePointer) throws(SigningKeyError) {
        do {
            algorithm = try Self.algorithm(of: handle)
            publicJWK = try PublicJWK(handle, algorithm)
            try Self.prove(handle, algorithm)
        } catch {
            EVP_PKEY_free(handle)
            ERR_clear_error()
            throw error
        }
        self.handle = handle
    }

    // Wipes the private key.
    deinit { EVP_PKEY_free(handle) }

    /// The signature of `message` in the form of JOSE: for ES256, r and s of 32 bytes each (RFC 7518 §3.4).
    public func sign(_ message: [UInt8]) -> [UInt8] {
        guard let signature = Self.sign(message, handle, algorithm) else {
            preconditionFailure("a key that has signed cannot sign")
        }
        return algorithm == .es256 ? Self.fixedWidth(signature) : signature
    }

    /// The signature in OpenSSL's form.
    private static func sign(_ message: [UInt8], _ key: OpaquePointer, _ algorithm: Algorithm) -> [UInt8]? {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, algorithm.hash?.method, nil, key) == 1 else { return nil }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { return nil }
        return Array(signature[..<count])
    }

    private static func prove(_ key: OpaquePointer, _ algorithm: Algorithm) throws(SigningKeyError) {
        let message: [UInt8] = [0]
        guard let signature = sign(message, key, algorithm) else { throw .damaged(reason: lastReason) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, algorithm.hash?.method, nil, key) == 1,
            EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        else { throw .damaged(reason: "its private and its public half do not belong together") }
    }

    /// r and s of a signature in DER (RFC 3279 §2.2.3), each with leading zeros.
    private static func fixedWidth(_ der: [UInt8]) -> [UInt8] {
        let parsed = der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return d2i_ECDSA_SIG(nil, &position, der.count)
        }
        defer { ECDSA_SIG_free(parsed) }
        var r: OpaquePointer?
        var s: OpaquePointer?
        ECDSA_SIG_get0(parsed, &r, &s)
        return [r, s].flatMap { number in
            [UInt8](unsafeUninitializedCapacity: coordinateBytes) { buffer, count in
                count = Int(BN_bn2binpad(number, buffer.baseAddress, Int32(coordinateBytes)))
            }
        }
    }
}

extension SigningKey.Algorithm {
    /// The hash function for the message; nil for Ed25519, which hashes by itself.
    fileprivate var hash: HashFunction? { self == .edDSA ? nil : .sha256 }
}
