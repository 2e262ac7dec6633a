/// The protocol version of a message.
public enum HTTPVersion: UInt8, Sendable {
    case http10, http11, http2

    /// As its specification writes it.
    public var text: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        }
    }

    /// Reads the eight bytes of `HTTP-version` (RFC 9112 §2.3), as far as they have arrived. A higher minor version is
    /// read as 1.1 (RFC 9110 §6.2).
    static func parse(_ bytes: UnsafeRawPointer, _ count: Int) -> Reading {
        // "HTTP/1.1" as one word, in the order of this machine's bytes.
        if count >= 8, bytes.loadUnaligned(as: UInt64.self) == UInt64(bigEndian: 0x4854_5450_2f31_2e31) {
            return .version(.http11)
        }
        let form: StaticString = "HTTP/0.0"
        for index in 0..<min(count, 8) {
            let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
            let wanted = form.utf8Start[index]
            guard byte == wanted || (wanted == UInt8(ascii: "0") && byte.isDigit) else { return .malformed }
        }
        guard count >= 8 else { return .needMore }
        guard bytes.load(fromByteOffset: 5, as: UInt8.self) == UInt8(ascii: "1") else { return .unsupported }
        return .version(bytes.load(fromByteOffset: 7, as: UInt8.self) == UInt8(ascii: "0") ? .http10 : .http11)
    }

    enum Reading: Equatable {
        case needMore
        case version(HTTPVersion)
        case unsupported
        case malformed
    }
}
