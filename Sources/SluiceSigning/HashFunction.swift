internal import COpenSSL

/// A hash function that requests and tokens are signed with (FIPS 180-4), and HMAC over it (RFC 2104).
public enum HashFunction: Hashable, Sendable {
    /// For services that support nothing else.
    case sha1
    case sha256
    case sha512

    /// Bytes of a digest, and of an HMAC.
    public var digestBytes: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The digest of `bytes`.
    public func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digestBytes) { buffer, count in
            let isDone = EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, nil, method, nil)
            precondition(isDone == 1, "OpenSSL has no \(self)")
            count = digestBytes
        }
    }

    /// The digest of `bytes`.
    public func digest(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { digest(of: $0) } }

    /// HMAC of `bytes` under `key` (RFC 2104).
    public func authenticationCode(of bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: digestBytes) { buffer, count in
            authenticationCode(of: bytes, key: key, into: UnsafeMutableRawBufferPointer(buffer))
            count = digestBytes
        }
    }

    /// HMAC of `bytes` under `key` (RFC 2104).
    public func authenticationCode(of bytes: [UInt8], key: SecretBytes) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in key.withUnsafeBytes { authenticationCode(of: bytes, key: $0) } }
    }

    /// HMAC of `bytes` under `key`, into a buffer of ``digestBytes``.
    func authenticationCode(
        of bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) {
        precondition(buffer.count >= digestBytes, "no room for the authentication code")
        // OpenSSL would take a null pointer to mean the key of an earlier call.
        withUnsafeBytes(of: UInt8(0)) { nothing in
            let code = HMAC(
                method, key.baseAddress ?? nothing.baseAddress, Int32(key.count),
                (bytes.baseAddress ?? nothing.baseAddress)?.assumingMemoryBound(to: UInt8.self), bytes.count,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
            precondition(code != nil, "OpenSSL has no HMAC with \(self)")
        }
    }

    var method: OpaquePointer? {
        switch self {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
    }
}
