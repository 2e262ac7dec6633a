import Testing

@testable import SluiceHTTP

/// WHATWG URL §5.1.
@Suite struct QueryIteratorTests {
    @Test(arguments: [
        ("", []), ("a=b", ["a=b"]), ("a=b&c=d", ["a=b", "c=d"]), ("a", ["a"]), ("a=", ["a="]), ("=a", ["=a"]),
        ("a=b=c", ["a=b=c"]), ("&&a=1&", ["a=1"]), ("a=1&a=2", ["a=1", "a=2"]), ("a%26=b+c", ["a%26=b+c"]),
        ("a;b=1", ["a;b=1"]), ("a&b", ["a", "b"]),
    ])
    func splits(_ query: String, _ pairs: [String]) {
        query.withBytes { bytes in
            var iterator = QueryIterator(bytes)
            var found: [String] = []
            while let pair = iterator.next() {
                #expect(!pair.name.contains(UInt8(ascii: "=")))
                found.append(String(pair.name) + (pair.hasValue ? "=" : "") + String(pair.value))
            }
            #expect(found == pairs)
        }
    }
}
