internal import COpenSSL

/// A public key as JSON (RFC 7517), with only the members that are required for its kind.
public struct PublicJWK: Hashable, Sendable {
    /// In the order of their names, as thumbprints need them (RFC 7638 §3).
    public let members: [JSONWebToken.Member]

    /// - Parameters: the numbers as bytes, not yet in Base64 for URLs.
    init(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
        members = [
            .init("e", .string(Base64URL.text(exponent))), .init("kty", "RSA"),
            .init("n", .string(Base64URL.text(modulus))),
        ]
    }

    /// A point on P-256 (RFC 7518 §6.2.1).
    init(x: [UInt8], y: [UInt8]) {
        members = [
            .init("crv", "P-256"), .init("kty", "EC"), .init("x", .string(Base64URL.text(x))),
            .init("y", .string(Base64URL.text(y))),
        ]
    }

    /// RFC 8037 §2.
    init(ed25519 x: [UInt8]) {
        members = [.init("crv", "Ed25519"), .init("kty", "OKP"), .init("x", .string(Base64URL.text(x)))]
    }

    /// The public half of an EVP_PKEY.
    init(_ key: OpaquePointer, _ algorithm: SigningKey.Algorithm) throws(SigningKeyError) {
        switch algorithm {
        case .rs256:
            self.init(
                rsaModulus: try Self.number(OSSL_PKEY_PARAM_RSA_N, of: key),
                exponent: try Self.number(OSSL_PKEY_PARAM_RSA_E, of: key))
        case .es256:
            let width = SigningKey.coordinateBytes
            self.init(
                x: try Self.number(OSSL_PKEY_PARAM_EC_PUB_X, of: key, width: width),
                y: try Self.number(OSSL_PKEY_PARAM_EC_PUB_Y, of: key, width: width))
        case .edDSA:
            var point = [UInt8](repeating: 0, count: 32)
            var count = point.count
            guard EVP_PKEY_get_raw_public_key(key, &point, &count) == 1 else {
                throw .damaged(reason: "no public half")
            }
            self.init(ed25519: point)
        }
    }

    /// The key as JSON text.
    public var json: [UInt8] { JSONWebToken.Value.object(members).json }

    /// SHA-256 of ``json``, in Base64 for URLs (RFC 7638 §3): `jkt` of tokens that are bound by DPoP (RFC 9449 §6.1).
    public var thumbprint: String { Base64URL.text(HashFunction.sha256.digest(of: json)) }

    /// A number in network order.
    /// - Parameter width: bytes, with leading zeros; nil for as few as the number needs.
    private static func number(
        _ name: String, of key: OpaquePointer, width: Int? = nil
    ) throws(SigningKeyError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { throw .damaged(reason: "no public half") }
        defer { BN_free(number) }
        let width = width ?? (Int(BN_num_bits(number)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: width)
        guard BN_bn2binpad(number, &bytes, Int32(width)) == width else { throw .damaged(reason: "no public half") }
        return bytes
    }
}
