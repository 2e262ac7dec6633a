internal import COpenSSL

extension SigningKey {
    /// Reads a private key. The caller has to free the EVP_PKEY.
    static func read(_ pem: UnsafeRawBufferPointer) throws(SigningKeyError) -> OpaquePointer {
        guard let label = firstLabel(pem), let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count)) else {
            throw .notPEM
        }
        ERR_clear_error()
        defer {
            BIO_free(bio)
            ERR_clear_error()
        }
        var isEncrypted = false
        // A key with a passphrase is an error; OpenSSL would ask for it on the terminal.
        let key = PEM_read_bio_PrivateKey(
            bio, nil,
            { _, _, _, isEncrypted in
                isEncrypted?.assumingMemoryBound(to: Bool.self).pointee = true
                return -1
            }, &isEncrypted)
        if let key { return key }
        if isEncrypted { throw .encrypted }
        guard label.hasSuffix("PRIVATE KEY") || label == "EC PARAMETERS" else { throw .noPrivateKey(label: label) }
        throw .damaged(reason: lastReason)
    }

    static func algorithm(of key: OpaquePointer) throws(SigningKeyError) -> Algorithm {
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            let bits = Int(EVP_PKEY_get_bits(key))
            guard bits >= rsaBitsMin else { throw .weak(bits: bits) }
            return .rs256
        case EVP_PKEY_EC:
            let curve = groupName(of: key)
            guard curve == "prime256v1" else { throw .unsupported(kind: curve) }
            return .es256
        case EVP_PKEY_ED25519: return .edDSA
        default:
            throw .unsupported(kind: EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown")
        }
    }

    /// The oldest error in this thread's queue, which is the cause of those after it.
    static var lastReason: String {
        ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "no reason given"
    }

    private static func groupName(of key: OpaquePointer) -> String {
        var name = [UInt8](repeating: 0, count: 80)
        var count = 0
        let isNamed = name.withUnsafeMutableBytes { name in
            EVP_PKEY_get_group_name(key, name.baseAddress?.assumingMemoryBound(to: CChar.self), name.count, &count)
        }
        return isNamed == 1 ? String(decoding: name.prefix(count), as: UTF8.self) : "EC on a curve without a name"
    }

    /// The first label: `CERTIFICATE` of `-----BEGIN CERTIFICATE-----` (RFC 7468 §2).
    private static func firstLabel(_ pem: UnsafeRawBufferPointer) -> String? {
        let mark = Array("-----BEGIN ".utf8)
        guard let start = pem.indices.first(where: { pem[$0...].starts(with: mark) }) else { return nil }
        let label = pem[(start + mark.count)...].prefix { $0 != UInt8(ascii: "-") }
        return String(decoding: label.prefix(40), as: UTF8.self)
    }
}
