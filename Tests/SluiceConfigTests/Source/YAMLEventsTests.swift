import Testing

@testable import SluiceConfig

@Suite struct YAMLEventsTests {
    /// The events of a text, each with its place and in one word; then the fault where there is one.
    private static func told(_ bytes: [UInt8]) -> [String] {
        let events = YAMLEvents(bytes)
        var told: [String] = []
        while true {
            do throws(YAMLEvents.Fault) {
                let (event, place) = try events.next()
                told.append("\(place.line):\(place.column) \(word(event))")
                if case .streamEnd = event { return told }
            } catch {
                return told + ["\(error.place.line):\(error.place.column) \(error.problem)"]
            }
        }
    }

    private static func word(_ event: YAMLEvents.Event) -> String {
        switch event {
        case .documentStart: "document"
        case .documentEnd: "end of document"
        case .streamEnd: "end"
        case .scalar(let scalar, let anchor): "\(scalar.style) \(scalar.text)" + (anchor.map { " &\($0)" } ?? "")
        case .sequenceStart(let anchor): "[" + (anchor.map { " &\($0)" } ?? "")
        case .mappingStart(let anchor, let isFlow): (isFlow ? "{" : "mapping") + (anchor.map { " &\($0)" } ?? "")
        case .collectionEnd: "close"
        case .alias(let name): "*\(name)"
        }
    }

    @Test func tellsStylesAnchorsAndPlaces() {
        let text = "a: &x [1, 'b', \"c\"]\nd: {e: *x}\nf: |\n  g\n"
        #expect(
            Self.told(Array(text.utf8)) == [
                "1:1 document", "1:1 mapping", "1:1 plain a", "1:4 [ &x", "1:8 plain 1", "1:11 quoted b",
                "1:16 quoted c", "1:19 close", "2:1 plain d", "2:4 {", "2:5 plain e", "2:8 *x", "2:10 close",
                "3:1 plain f", "3:4 block g\n", "5:1 close", "5:1 end of document", "5:1 end",
            ])
    }

    /// Bytes that are no UTF-8, and characters that no YAML has, each in the line where it stands.
    @Test(
        arguments: [
            ([0x61, 0xFF], "1:2 invalid leading UTF-8 octet"),
            ([0x61, 0x0A, 0xC3], "2:1 incomplete UTF-8 octet sequence"),
            ([0x61, 0x0A, 0xC3, 0x28], "2:2 invalid trailing UTF-8 octet"),
            ([0xED, 0xA0, 0x80], "1:1 invalid Unicode character"),
            ([0xC0, 0x80], "1:1 invalid length of a UTF-8 sequence"),
            ([0x61, 0x0A, 0x00], "2:1 control characters are not allowed"),
            ([0x61, 0x3A, 0x20, 0x1B], "1:4 control characters are not allowed"),
        ] as [([UInt8], String)])
    func refusesWhatIsNoText(_ bytes: [UInt8], _ fault: String) {
        #expect(Self.told(bytes).last == fault)
    }

    @Test(arguments: [
        ("a: [1", "did not find expected ',' or ']'"), ("a: 'x", "found unexpected end of stream"),
        ("a: b: c", "mapping values are not allowed in this context"), ("%YAML 3.0\n---\n", "found incompatible YAML"),
        ("a: !<x", "did not find the expected '>'"), ("]", "did not find expected node content"),
    ])
    func saysWhyItIsNoYAML(_ text: String, _ problem: String) {
        #expect(Self.told(Array(text.utf8)).last?.contains(problem) == true, "\(Self.told(Array(text.utf8)))")
    }

    /// Every text cut anywhere ends, with a fault or without.
    @Test func everyCutEnds() {
        let text = Array("a: &x [1, 'b', \"c\\u0041\"]\n? {d: *x}\n: |2\n   é\n--- !t\n- - >-\n  f\n...\n".utf8)
        for count in 0...text.count { #expect(!Self.told(Array(text.prefix(count))).isEmpty) }
    }
}
