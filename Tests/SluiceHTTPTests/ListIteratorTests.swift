import Testing

@testable import SluiceHTTP

/// RFC 9110 §5.6.1.
@Suite struct ListIteratorTests {
    @Test(arguments: [
        ("", [], []), ("a", ["a"], ["a"]), ("a,b , c", ["a", "b", "c"], ["a", "b", "c"]), (" ,,\t, ", [], []),
        ("a=\"b,c\", d", ["a=\"b", "c\"", "d"], ["a=\"b,c\"", "d"]),
        ("\"a\\\",b\",c", ["\"a\\\"", "b\"", "c"], ["\"a\\\",b\"", "c"]), ("\"a,b", ["\"a", "b"], ["\"a,b"]),
    ])
    func splits(_ value: String, _ tokens: [String], _ quoted: [String]) {
        #expect(Self.elements(value, honoursQuotes: false) == tokens)
        #expect(Self.elements(value, honoursQuotes: true) == quoted)
    }

    private static func elements(_ value: String, honoursQuotes: Bool) -> [String] {
        value.withBytes { bytes in
            var iterator = ListIterator(bytes, honoursQuotes: honoursQuotes)
            var found: [String] = []
            while let element = iterator.next() { found.append(String(element)) }
            return found
        }
    }
}
