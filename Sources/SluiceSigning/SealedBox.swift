internal import COpenSSL
internal import SluiceContract

/// Seals files on disk with AES-256-GCM (NIST SP 800-38D), so that they can be neither read nor changed without the
/// key.
///
/// A box is `sluice-sealed`, a byte for the version of the format, the nonce (12 bytes), the ciphertext and the tag (16
/// bytes). The tag also covers the header and the *context*, which says what is sealed and is not in the box: a file
/// that is put in the place of another does not open.
///
/// Nonces are random: one key is good for 2³² boxes (§8.3), which is one a second for 136 years.
public struct SealedBox: Sendable {
    public static let keyBytes = StateKey.byteCount
    static let version: UInt8 = 1
    private static let magic = Array("sluice-sealed".utf8)
    static let headerBytes = magic.count + 1
    static let nonceBytes = 12
    static let tagBytes = 16
    /// A shorter box has been cut off, and no key opens it.
    public static let boxBytesMin = headerBytes + nonceBytes + tagBytes

    private let key: SecretBytes

    /// - Parameter key: 32 random bytes.
    /// - Throws: ``SealedBoxError/keyLength(_:)``.
    public init(key: SecretBytes) throws(SealedBoxError) {
        guard key.count == Self.keyBytes else { throw .keyLength(key.count) }
        self.key = key
    }

    /// Whether `bytes` begin like a box of any version.
    public static func isSealed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Seals `plaintext` in a new box.
    /// - Parameter context: what is sealed, such as the name of the file; needed again to open the box.
    public func seal(_ plaintext: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8] {
        seal(plaintext, context: context, nonce: SecureRandom.bytes(Self.nonceBytes))
    }

    func seal(_ plaintext: UnsafeRawBufferPointer, context: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let header = Self.magic + [Self.version]
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: Self.tagBytes)
        let cipher = GCMCipher(.seal, key, nonce: nonce, authenticated: header + context)
        let isSealed = ciphertext.withUnsafeMutableBytes { cipher.transform(plaintext, into: $0) }
        precondition(isSealed && cipher.finish(&tag), "OpenSSL has no AES-256-GCM")
        return header + nonce + ciphertext + tag
    }

    /// Opens a box and returns its plaintext.
    /// - Parameter context: the context that was given to ``seal(_:context:)``.
    public func open(_ box: [UInt8], context: [UInt8]) throws(SealedBoxError) -> SecretBytes {
        guard Self.isSealed(box), box.count >= Self.headerBytes else { throw .notSealed }
        let header = Array(box[..<Self.headerBytes])
        guard header.last == Self.version else { throw .unknownVersion(header[Self.headerBytes - 1]) }
        let textStart = Self.headerBytes + Self.nonceBytes
        let textEnd = box.count - Self.tagBytes
        guard textStart <= textEnd else { throw .wrongKeyOrDamaged }
        var tag = Array(box[textEnd...])
        let nonce = Array(box[Self.headerBytes..<textStart])
        let cipher = GCMCipher(.open, key, nonce: nonce, authenticated: header + context)
        // Plaintext that turns out not to be genuine is wiped with its memory.
        return try SecretBytes(capacity: textEnd - textStart) { plaintext throws(SealedBoxError) in
            let isOpened = box.withUnsafeBytes {
                cipher.transform(UnsafeRawBufferPointer(rebasing: $0[textStart..<textEnd]), into: plaintext)
            }
            guard isOpened, cipher.finish(&tag) else { throw .wrongKeyOrDamaged }
            return plaintext.count
        }
    }
}

/// One run of AES-256-GCM.
private struct GCMCipher: ~Copyable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer
    private let direction: Direction

    init(_ direction: Direction, _ key: SecretBytes, nonce: [UInt8], authenticated: [UInt8]) {
        var written: Int32 = 0
        guard let context = EVP_CIPHER_CTX_new(),
            key.withUnsafeBytes({ key in
                let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, start, nonce, direction.rawValue)
            }) == 1,
            EVP_CipherUpdate(context, nil, &written, authenticated, Int32(authenticated.count)) == 1
        else { preconditionFailure("OpenSSL has no AES-256-GCM") }
        self.context = context
        self.direction = direction
    }

    // Wipes the expanded key.
    deinit { EVP_CIPHER_CTX_free(context) }

    func transform(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard let read = input.baseAddress, let write = output.baseAddress else { return true }
        var written: Int32 = 0
        return EVP_CipherUpdate(
            context, write.assumingMemoryBound(to: UInt8.self), &written, read.assumingMemoryBound(to: UInt8.self),
            Int32(input.count)) == 1
    }

    /// Makes the tag when sealing, and verifies it when opening.
    func finish(_ tag: inout [UInt8]) -> Bool {
        var nothing: UInt8 = 0
        var written: Int32 = 0
        let tagBytes = Int32(SealedBox.tagBytes)
        switch direction {
        case .seal:
            return EVP_CipherFinal_ex(context, &nothing, &written) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tagBytes, &tag) == 1
        case .open:
            return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tagBytes, &tag) == 1
                && EVP_CipherFinal_ex(context, &nothing, &written) == 1
        }
    }
}
