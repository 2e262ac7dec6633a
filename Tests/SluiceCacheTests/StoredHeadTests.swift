import SluiceHTTP
import Testing

@testable import SluiceCache

/// Fields as they are stored: lines, one behind the other.
@Suite struct StoredHeadTests {
    private static let lines = Array(
        "ETag: \"a\"\r\nX-A: 1\r\nLast-Modified: then\r\nX-Empty: \r\nEtag: \"b\"\r\n".utf8)

    @Test(
        arguments: [
            (FieldID.etag, "\"a\""), (.lastModified, "then"), (.contentType, nil), (.age, nil),
        ] as [(FieldID, String?)])
    func theFirstOfItsName(id: FieldID, value: String?) {
        Self.lines.withUnsafeBytes { lines in
            #expect(StoredHead.value(of: id, in: lines).map { String(decoding: $0, as: UTF8.self) } == value)
        }
    }

    @Test func allInTheirOrder() {
        var fields = HeaderBlock()
        Self.lines.withUnsafeBytes { StoredHead.read($0, into: &fields) }
        let read = (0..<fields.count).map { index in
            [fields.name(index), fields.value(index)].map { String(decoding: $0, as: UTF8.self) }.joined(
                separator: ": ")
        }
        #expect(read == ["ETag: \"a\"", "X-A: 1", "Last-Modified: then", "X-Empty: ", "Etag: \"b\""])
    }
}
