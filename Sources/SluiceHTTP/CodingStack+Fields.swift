public import SluiceContract

extension ContentCoding {
    /// A coding by its name, in any case (RFC 9110 §8.4.1); nil where Sluice does not know the coding. `x-gzip` is gzip
    /// (§8.4.1.3).
    public init?(_ name: UnsafeRawBufferPointer) {
        if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
            self = .gzip
        } else if name.equalsIgnoringCase("br") {
            self = .brotli
        } else if name.equalsIgnoringCase("deflate") {
            self = .deflate
        } else if name.equalsIgnoringCase("zstd") {
            self = .zstd
        } else {
            return nil
        }
    }
}

extension CodingStack {
    /// The outcome of reading `Content-Encoding`.
    public enum Reading: Hashable, Sendable {
        /// No coding, or only `identity`, which should not be sent but does no harm (RFC 9110 §8.4.1).
        case plain
        case coded(CodingStack)
        /// The field names a coding that the gateway cannot decode; the name is cut to 32 bytes.
        case unknown(String)
        /// The field names more codings than the limit allows.
        case tooMany
    }

    /// Reads all lines of `Content-Encoding` in order (RFC 9110 §5.3, §8.4).
    /// - Parameter most: how many codings one body may have.
    public static func read(_ fields: borrowing HeaderBlock, atMost most: Int) -> Reading {
        var stack = CodingStack()
        for index in 0..<fields.count where fields[index].id == .contentEncoding {
            var names = ListIterator(fields.value(index))
            while let name = names.next() {
                if name.equalsIgnoringCase("identity") { continue }
                guard let coding = ContentCoding(name) else {
                    return .unknown(String(decoding: name.prefix(32), as: UTF8.self))
                }
                if stack.count == min(most, countMax) { return .tooMany }
                stack.append(coding)
            }
        }
        return stack.isEmpty ? .plain : .coded(stack)
    }
}
