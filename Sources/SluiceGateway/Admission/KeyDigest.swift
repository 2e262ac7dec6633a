internal import CDigest

/// SHA-256 of an API key. Keys are random and long, so a plain hash of one cannot be reversed: reading the digest does
/// not reveal the key.
public struct KeyDigest: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Digests `key`.
    public init(of key: UnsafeRawBufferPointer) {
        withUnsafeMutableBytes(of: &words) { digest in
            cdigest_sha256(key.baseAddress, UInt(key.count), digest.bindMemory(to: UInt8.self).baseAddress)
        }
    }

    /// A digest that is known already, 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// The 32 bytes in hexadecimal digits, as `clients:` takes them.
    public var hexadecimal: String {
        withUnsafeBytes(of: words) { bytes in
            let digits = Array("0123456789abcdef".utf8)
            return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    /// Takes a time that does not depend on where the digests differ.
    public static func == (left: KeyDigest, right: KeyDigest) -> Bool {
        let (a, b) = (left.words, right.words)
        return (a.0 ^ b.0) | (a.1 ^ b.1) | (a.2 ^ b.2) | (a.3 ^ b.3) == 0
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
