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

    /// What stands before the `?`.
    var path: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: target[..<pathEnd]) }

    /// What stands behind the `?`; empty without one.
    var query: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[min(pathEnd + 1, target.count)...])
    }

    private var pathEnd: Int { target.firstIndex(of: UInt8(ascii: "?")) ?? target.count }
}

extension RequestToSign.Field {
    /// Whether it has this name, which is in lower case.
    func isNamed(_ lowercase: [UInt8]) -> Bool {
        name.count == lowercase.count && zip(name, lowercase).allSatisfy { $0.lowercased == $1 }
    }
}

extension UInt8 {
    var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
