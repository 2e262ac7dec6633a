internal import SluiceHTTP

/// Distinguishes HTTP/2 with prior knowledge from HTTP/1.1 by the first bytes of a connection (RFC 9113 §3.3, §3.4).
public struct HTTP2Preface {
    /// The part of the client preface that no HTTP/1.1 request can begin with; the library reads the rest.
    static let telling: StaticString = "PRI * HTTP/2.0"

    public enum Finding {
        /// All bytes so far match the preface, but it is not complete.
        case partial
        case http2
        case http1
    }

    /// Bytes of the preface that earlier reads have matched.
    private var matched: UInt8 = 0

    public init() {}

    /// Looks at the next bytes of the connection; not to be called again after a decision.
    public mutating func read(_ bytes: UnsafeRawBufferPointer) -> Finding {
        let wanted = UnsafeRawBufferPointer(Self.telling)
        let matched = Int(matched)
        let count = min(bytes.count, wanted.count - matched)
        for index in 0..<count where bytes[index] != wanted[matched + index] { return .http1 }
        if matched + count == wanted.count { return .http2 }
        self.matched = UInt8(matched + count)
        return .partial
    }

    /// The part of the preface that arrived before the deciding bytes.
    public var before: UnsafeRawBufferPointer { UnsafeRawBufferPointer(Self.telling).part(0, Int(matched)) }
}
