import SluiceContract
import Testing

@Suite struct FieldSourceTests {
    @Test(
        arguments: [
            ("a", .key("a")), ("a b", .key("a b")), ("\"a.b\"", .key("a.b")), ("$.a", .key("a")),
            ("$ref", .key("$ref")),
            ("what?", .key("what?")), ("status", .key("status")), ("0", .key("0")),
            ("\"http status\"", .key("http status")),
            ("a.b", .source(.path(FieldPath(components: [.key("a"), .key("b")])))),
            ("0.b", .source(.path(FieldPath(components: [.key("0"), .key("b")])))),
            ("a[-1]", .source(.path(FieldPath(components: [.key("a"), .init(.last)])))),
            ("header X-Total", .source(.header("X-Total", relation: nil))),
            ("header Link rel=next", .source(.header("Link", relation: "next"))), ("http status", .source(.status)),
        ] as [(String, FieldSource.Reading)])
    func reads(_ text: String, _ reading: FieldSource.Reading) throws {
        #expect(try FieldSource.read(text) == reading)
        let written =
            switch reading {
            case .key(let key): FieldSource.written(key: key)
            case .source(let source): source.description
            }
        #expect(try FieldSource.read(written) == reading)
    }

    @Test(arguments: [
        ("header", "'header' has one name behind it"), ("header A B C", "'header' has one name behind it"),
        ("header Link next", "'next' cannot stand behind a field's name"), ("a..b", "'..' searches everywhere"),
    ])
    func saysWhy(_ text: String, _ message: String) {
        do {
            let reading = try FieldSource.read(text + (text == "header" ? " " : ""))
            Issue.record("read as \(reading)")
        } catch {
            #expect(error.message.hasPrefix(message), "\(error.message)")
        }
    }
}
