internal import CDigest

/// The secret of the keys for gateways that share a store: the same for all that have its password, and unknown to
/// others. Without a password, any program that reaches the store can write answers into it anyway.
enum SharedSecret {
    static func derive(password: String?) -> (UInt64, UInt64) {
        let text = Array("sluice shared cache\0".utf8) + Array((password ?? "").utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        cdigest_sha256(text, UInt(text.count), &digest)
        return digest.withUnsafeBytes {
            (
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
