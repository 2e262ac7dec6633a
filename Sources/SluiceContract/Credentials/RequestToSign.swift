/// What a signature of a request is made of: borrowed bytes, as they are sent.
public struct RequestToSign {
    public struct Field {
        /// In any case.
        public var name: UnsafeRawBufferPointer
        public var value: UnsafeRawBufferPointer

        public init(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
            self.name = name
            self.value = value
        }
    }

    public var method: UnsafeRawBufferPointer
    /// Path and query (RFC 9112 §3.2.1).
    public var target: UnsafeRawBufferPointer
    /// The value of `Host` or `:authority`.
    public var host: UnsafeRawBufferPointer
    /// Others that may be signed.
    public var fields: [Field]

    public init(
        method: UnsafeRawBufferPointer, target: UnsafeRawBufferPointer, host: UnsafeRawBufferPointer,
        fields: [Field] = []
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
    }
}

/// What a signature is made with beside the request.
public struct SigningOccasion {
    /// Milliseconds since 1970, of the attempt.
    public var milliseconds: Int
    /// Whether the request goes out over TLS.
    public var isSecure: Bool
    /// The whole of the body, in its order; none where the signature does not cover it.
    public var body: [UnsafeRawBufferPointer]
    /// What the server has last asked signatures to hold.
    public var nonce: [UInt8]?

    public init(milliseconds: Int, isSecure: Bool, body: [UnsafeRawBufferPointer] = [], nonce: [UInt8]? = nil) {
        self.milliseconds = milliseconds
        self.isSecure = isSecure
        self.body = body
        self.nonce = nonce
    }
}
