import Testing

@testable import SluiceHTTP

/// RFC 9110 §8.3.1, §5.6.6.
@Suite struct ContentTypeTests {
    @Test(arguments: [
        ("application/json", "application/json", nil), ("Text/HTML;Charset=\"utf-8\"", "Text/HTML", "utf-8"),
        ("a/b ; charset=x", "a/b", "x"), ("a/b; q=\";charset=no\"; charset=yes", "a/b", "yes"),
        ("a/b;charset=x;charset=y", "a/b", "x"), ("a/b;", "a/b", nil), ("a/b;charset", "a/b", nil),
        ("a/b;;charset=x", "a/b", "x"), ("a/b; charset=", "a/b", ""), ("a/b;\"", "a/b", nil),
    ])
    func reads(_ value: String, _ mediaType: String, _ charset: String?) {
        value.withBytes { bytes in
            let type = ContentType(bytes)
            #expect(type.map { String($0.mediaType) } == mediaType)
            #expect(type?.charset.map { String($0) } == charset)
        }
    }

    @Test(arguments: ["", "a", "/", "a/", "/b", "a b/c", "a/b c", ";charset=x", "a/b/c", "a/b,c/d"])
    func refuses(_ value: String) {
        #expect(value.withBytes { ContentType($0) == nil })
    }

    @Test(arguments: [
        ("application/json", "json"), ("APPLICATION/JSON; charset=utf-8", "json"), ("application/problem+json", "json"),
        ("application/json5", ""), ("application/x-www-form-urlencoded", "form"), ("multipart/form-data", ""),
        ("text/plain", "text"), ("text/event-stream", "text events"), ("image/png", ""),
    ])
    func kinds(_ value: String, _ kinds: String) {
        value.withBytes { bytes in
            guard let type = ContentType(bytes) else { return #expect(Bool(false)) }
            let found: [(Bool, String)] = [
                (type.isJSON, "json"), (type.isForm, "form"), (type.isText, "text"), (type.isEventStream, "events"),
            ]
            #expect(found.filter(\.0).map(\.1).joined(separator: " ") == kinds)
        }
    }

    @Test(arguments: [
        ("a/b", true), ("a/b;charset=UTF-8", true), ("a/b;charset=us-ascii", true),
        ("a/b;charset=latin1", false), ("a/b;charset=utf-7", false), ("a/b;charset=utf-8;charset=utf-16", false),
        ("a/b;charset=utf-8;Charset=UTF-8", true),
    ])
    func isUTF8(_ value: String, _ isUTF8: Bool) {
        #expect(value.withBytes { ContentType($0)?.isUTF8 } == isUTF8)
    }
}
