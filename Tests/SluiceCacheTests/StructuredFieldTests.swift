import Testing

@testable import SluiceCache

/// RFC 9651 §4.2: what does not parse whole is nothing.
@Suite struct StructuredFieldTests {
    static let dictionaries: [(String, Int?)] = [
        ("a=1, b", 2), ("a=1,a=2", 1), ("", 0), ("a=1,", nil), ("A=1", nil), ("a =1", nil), ("a= 1", nil),
        ("a=\"x\\\"y\"", 1), ("a=\"x", nil), ("a=1.5;b=?0", 1), ("a=1.5555", nil), ("a=(\"b\" c 1);d", 1),
        ("a=(\"b\"c)", nil), ("a=:YQ==:", 1), ("a=?2", nil), ("a=1234567890123456", nil), ("a=@12, b=-5", 2),
    ]

    @Test(arguments: dictionaries)
    func dictionary(text: String, count: Int?) {
        #expect(StructuredField.dictionary(Array(text.utf8))?.count == count)
    }

    @Test func theLastOfEqualKeysCounts() {
        #expect(StructuredField.dictionary(Array("a=1, b=2, a=3".utf8))?.last?.value == .integer(3))
        #expect(StructuredField.dictionary(Array("a=1, b=2, a=3, c".utf8))?.map(\.key) == [[0x62], [0x61], [0x63]])
    }

    /// Its length is the upstream's choice: each member costs the same.
    @Test func manyMembers() {
        let text = (0..<50_000).map { "k\($0)" }.joined(separator: ",") + ", k7=1"
        let members = StructuredField.dictionary(Array(text.utf8))
        #expect(members?.count == 50_000)
        #expect(members?.last == StructuredField.Member(key: Array("k7".utf8), value: .integer(1)))
    }
}
