import Testing

@testable import SluiceHTTP

/// RFC 3986 §2.
@Suite struct PercentEncodingTests {
    private static func encode(_ text: String, _ component: PercentEncoding.Component) -> String {
        var outbox = Outbox()
        text.withBytes { PercentEncoding.encode($0, as: component, into: &outbox) }
        return outbox.text
    }

    private static func decode(_ text: String, plusIsSpace: Bool) -> String? {
        text.withBytes { bytes in
            withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
                PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace, into: buffer).map {
                    String(UnsafeRawBufferPointer(buffer).part(0, $0))
                }
            }
        }
    }

    @Test(arguments: [
        ("", ""), ("aZ09-._~", "aZ09-._~"), ("a/b", "a%2Fb"), ("a b+c", "a%20b%2Bc"), ("?&=#%", "%3F%26%3D%23%25"),
        ("é", "%C3%A9"), ("\u{0}\r\n", "%00%0D%0A"), ("...", "..."),
    ])
    func encodes(_ plain: String, _ encoded: String) {
        #expect(Self.encode(plain, .pathSegment) == encoded)
        #expect(Self.encode(plain, .queryValue) == encoded)
        #expect(Self.decode(encoded, plusIsSpace: false) == plain)
        #expect(Self.decode(encoded, plusIsSpace: true) == plain)
    }

    /// No encoding takes the meaning from these: who fills a path has to refuse them.
    @Test(arguments: [(".", true), ("..", true), ("", false), ("...", false), (".a", false), ("%2e", false)])
    func dotSegments(_ value: String, _ isDotSegment: Bool) {
        #expect(value.withBytes { PercentEncoding.isDotSegment($0) } == isDotSegment)
    }

    @Test(arguments: [
        ("a+b", "a+b", "a b"), ("%2b", "+", "+"), ("%C3%a9", "é", "é"), ("%%", nil, nil), ("%", nil, nil),
        ("%4", nil, nil), ("a%4g", nil, nil), ("%+1", nil, nil), ("%25", "%", "%"),
    ])
    func decodes(_ encoded: String, _ segment: String?, _ form: String?) {
        #expect(Self.decode(encoded, plusIsSpace: false) == segment)
        #expect(Self.decode(encoded, plusIsSpace: true) == form)
        #expect(encoded.withBytes { PercentEncoding.isWellFormed($0) } == (segment != nil))
    }

    /// §6.2.2.2: only what never needs encoding is decoded, and what stands behind the text is no part of its last `%`.
    @Test(arguments: [
        ("%41%7e%2F", 9, "A~%2F"), ("a%41", 4, "aA"), ("a%41", 3, "a%4"), ("a%41", 2, "a%"), ("%4g%", 4, "%4g%"),
    ])
    func decodesUnreserved(_ text: String, _ count: Int, _ decoded: String) {
        let result: String = text.withBytes { bytes in
            withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { buffer in
                let written = PercentEncoding.decodeUnreserved(bytes.part(0, count), into: buffer)
                return String(UnsafeRawBufferPointer(buffer).part(0, written))
            }
        }
        #expect(result == decoded)
    }
}
