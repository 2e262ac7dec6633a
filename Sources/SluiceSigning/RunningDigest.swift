internal import COpenSSL

/// The digest of bytes that arrive in pieces, such as the body of a request.
public struct RunningDigest: ~Copyable {
    private let function: HashFunction
    private let context: OpaquePointer

    public init(_ function: HashFunction) {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, function.method, nil) == 1 else {
            preconditionFailure("OpenSSL has no \(function)")
        }
        self.function = function
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next piece.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let isDone = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(isDone == 1, "a digest cannot go on")
    }

    /// The digest of all pieces.
    public consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: function.digestBytes) { buffer, count in
            let isDone = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            precondition(isDone == 1, "a digest cannot end")
            count = function.digestBytes
        }
    }
}
