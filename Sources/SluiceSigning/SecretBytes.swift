internal import COpenSSL

/// A key, a secret or a token in memory of its own, which is wiped when it is no longer used.
///
/// The memory comes from ``SecretMemory``, as long as that has room. Sendable because nothing in it changes after
/// `init`.
public final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawPointer
    public let count: Int

    /// Has `fill` write up to `capacity` bytes.
    /// - Parameter fill: returns how many bytes it has written.
    public init<Failure: Error>(
        capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let bytes = max(capacity, 1)
        let safe = SecretMemory.hasRoom(for: bytes) ? CRYPTO_secure_malloc(bytes, #file, #line) : nil
        guard let memory = safe ?? CRYPTO_malloc(bytes, #file, #line) else { preconditionFailure("out of memory") }
        do {
            count = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
        } catch {
            CRYPTO_secure_clear_free(memory, bytes, #file, #line)
            throw error
        }
        precondition((0...capacity).contains(count), "more bytes than there is room for")
        self.memory = memory
        self.capacity = bytes
    }

    private let capacity: Int

    /// A copy of `bytes`.
    public convenience init(_ bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count) { buffer in
            buffer.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// A copy of `bytes`; the caller's own array is not wiped.
    public convenience init(_ bytes: [UInt8]) {
        self.init(capacity: bytes.count) { buffer in
            buffer.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// A copy of the text in UTF-8.
    public convenience init(_ text: String) {
        self.init(capacity: text.utf8.count) { buffer in
            buffer.copyBytes(from: text.utf8)
            return buffer.count
        }
    }

    // Frees memory of either heap.
    deinit { CRYPTO_secure_clear_free(memory, capacity, #file, #line) }

    /// Lends the bytes for the time of a call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that does not depend on where the bytes differ.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left.memory, right.memory, left.count) == 0
    }
}

extension SecretBytes: Hashable {
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension SecretBytes: CustomStringConvertible {
    /// Never the bytes.
    public var description: String { "\(count) secret bytes" }
}
