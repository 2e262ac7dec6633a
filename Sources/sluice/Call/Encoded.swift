internal import SluiceHTTP

/// Text as it stands in a request target (RFC 3986 §2.1).
enum Encoded {
    static func segment(_ text: String) -> String { encoded(text, .pathSegment) }
    static func query(_ text: String) -> String { encoded(text, .queryValue) }

    /// The text of a part of a query, where a plus is a blank; nil where it is none.
    static func decoded(_ bytes: UnsafeRawBufferPointer) -> String? {
        if bytes.isEmpty { return "" }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
            guard let count = PercentEncoding.decode(bytes, plusIsSpace: true, into: buffer) else { return nil }
            return String(validating: buffer[..<count], as: UTF8.self)
        }
    }

    private static func encoded(_ text: String, _ component: PercentEncoding.Component) -> String {
        Array(text.utf8).withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(
                byteCount: max(1, PercentEncoding.encodedCountMax(bytes.count)), alignment: 1
            ) { buffer in
                let count = PercentEncoding.encode(bytes, as: component, into: buffer)
                return String(decoding: buffer[..<count], as: UTF8.self)
            }
        }
    }
}
