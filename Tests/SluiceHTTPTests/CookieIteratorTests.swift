import Testing

@testable import SluiceHTTP

/// RFC 6265 §4.2, §5.4.
@Suite struct CookieIteratorTests {
    @Test(arguments: [
        ("", []), ("a=b", ["a|b"]), ("a=b; c=d", ["a|b", "c|d"]), ("a=b;c=d", ["a|b", "c|d"]), ("a=", ["a|"]),
        ("a", []), ("=b", []), ("a=b=c", ["a|b=c"]), ("a=\"b\"", ["a|b"]), ("a=\"", ["a|\""]), (" a = b ", ["a|b"]),
        (";; a=b ;", ["a|b"]), ("a=1; a=2", ["a|1", "a|2"]),
    ])
    func splits(_ value: String, _ pairs: [String]) {
        value.withBytes { bytes in
            var iterator = CookieIterator(bytes)
            var found: [String] = []
            while let pair = iterator.next() { found.append(String(pair.name) + "|" + String(pair.value)) }
            #expect(found == pairs)
        }
    }

    @Test(arguments: [
        ("", []), ("a=\"b c\"; d", ["a|a=\"b c\"", "d|d"]), ("=b;; a = \"", ["|=b", "a|a = \""]),
        ("a=\"b;c=d\"", ["a|a=\"b", "c|c=d\""]),
    ])
    func tellsPiecesAsTheyAreWritten(_ value: String, _ pieces: [String]) {
        value.withBytes { bytes in
            var iterator = CookieIterator(bytes)
            var found: [String] = []
            while let piece = iterator.nextPiece() { found.append(String(piece.name) + "|" + String(piece.bytes)) }
            #expect(found == pieces)
        }
    }
}
