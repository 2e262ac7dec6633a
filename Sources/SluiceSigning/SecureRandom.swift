internal import COpenSSL

/// Random bytes that cannot be predicted: for verifiers, states, nonces and token identifiers.
public enum SecureRandom {
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard RAND_bytes(buffer.baseAddress, Int32(count)) == 1 else { preconditionFailure("no random numbers") }
            filled = count
        }
    }

    /// Random bytes as a text that needs no escaping in URLs, fields and JSON: 22 characters for 16 bytes.
    public static func text(bytes count: Int = 16) -> String { Base64URL.text(bytes(count)) }
}
