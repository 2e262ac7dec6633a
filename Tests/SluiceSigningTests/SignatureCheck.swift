import COpenSSL
import SluiceSigning

/// Whether a token in compact serialisation is signed by a key, as a server would find out: from the public half alone.
struct SignatureCheck {
    static func holds(_ token: String, publicPEM pem: String) -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, var signature = Base64URL.decode(String(parts[2])) else { return false }
        let bio = BIO_new_mem_buf(pem, Int32(pem.utf8.count))
        let key = PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
            BIO_free(bio)
        }
        let isEC = EVP_PKEY_get_base_id(key) == EVP_PKEY_EC
        if isEC {
            guard signature.count == 64 else { return false }
            signature = der(signature)
        }
        let hash = EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 ? nil : EVP_sha256()
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        return EVP_DigestVerifyInit(context, nil, hash, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The form that OpenSSL has ECDSA's signatures in.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        let parsed = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(parsed) }
        ECDSA_SIG_set0(
            parsed, BN_bin2bn(Array(signature[..<32]), 32, nil), BN_bin2bn(Array(signature[32...]), 32, nil))
        return [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
            var position = buffer.baseAddress
            count = Int(i2d_ECDSA_SIG(parsed, &position))
        }
    }
}
