internal import SluiceHTTP

/// Text as it stands in a request target (RFC 3986 §2.1).
enum Encoded {
    static func segment(_ text: String) -> String { encoded(text, .pathSegment) }
    static func query(_ text: String) -> String { encoded(text, .queryValue) }

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
