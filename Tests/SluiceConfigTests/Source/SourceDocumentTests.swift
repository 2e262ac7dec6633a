import Testing

@testable import SluiceConfig

@Suite struct SourceDocumentTests {
    private func read(_ text: String) -> (node: SourceNode?, mistakes: [String]) {
        let findings = Findings(file: "f", text: text)
        let node = SourceDocument.root(findings)
        return (node, findings.mistakes.map { "\($0.line):\($0.column): \($0.message)" })
    }

    @Test func keepsTheTextOfScalars() throws {
        let node = try #require(read("a: [no, 0660, 1e3, ~, 'x', \"y\"]").node)
        #expect(node.value("a")?.items?.map(\.text) == ["no", "0660", "1e3", "~", "x", "y"])
        #expect(node.value("a")?.items?.map(\.isNull) == [false, false, false, true, false, false])
    }

    @Test func keepsPlaces() throws {
        let node = try #require(read("a: 1\nlonger: {b: 2, c: 'xyz'}\n").node)
        let c = try #require(node.value("longer")?.value("c"))
        #expect(c.place == .init(line: 2, column: 19))
        #expect(c.place(at: 2) == .init(line: 2, column: 22))
        #expect(node.value("a")?.place(at: 1) == .init(line: 1, column: 5))
    }

    @Test func countsCharactersNotBytes() throws {
        let node = try #require(read("{ä: ö, ü: 'éx'}").node)
        #expect(node.value("ü")?.place == .init(line: 1, column: 11))
        #expect(node.value("ü")?.place(at: 2) == .init(line: 1, column: 13))
    }

    @Test func survivesLineEndsAndByteOrderMarks() throws {
        let node = try #require(read("\u{FEFF}a: 1\r\nb: 2\rc: 3\n").node)
        #expect(node.entries?.map(\.key.text) == ["a", "b", "c"])
        #expect(node.value("c")?.place == .init(line: 3, column: 4))
    }

    /// YAML forbids them; the reader wants to tell all of them, so they come through.
    @Test(arguments: [
        ("a: 1\na: 2\n", ["a", "a"]), ("a: 1\nb: 0\n'a': 2\n\"a\": 3\n", ["a", "b", "a", "a"]),
        ("{ü: 1, ü: 2}", ["ü", "ü"]), ("'': 1\nb: 2\nb: 3", ["", "b", "b"]),
    ])
    func letsRepeatedKeysThrough(_ text: String, _ keys: [String]) throws {
        let (node, mistakes) = read(text)
        #expect(mistakes.isEmpty)
        #expect(node?.entries?.map(\.key.text) == keys)
    }

    @Test func tellsRepeatedKeysThatItCannotRename() {
        #expect(read("'': 1\n'': 2\n").mistakes == ["1:1: key '' stands twice"])
        #expect(read("? [a]\n: 1\n? [a]\n: 2\n").mistakes.count == 1)
    }

    @Test(arguments: [
        ("a: b\n  c: d\n", "2:3: this line is indented deeper than line 1, which has its value already"),
        ("a: [1\n", "1:4: the '[' is not closed"),
        ("a: *b\n", "1:4: there is no anchor '&b' above"),
        ("a: *\n", "1:4: to YAML, '*' points to another value"),
        ("a: &x 1\nb:\n  <<: *y\n", "3:3: merge keys ('<<') are not read"),
        ("a: 1\n---\nb: 2\n", "2:1: a second document begins here"),
        ("a: \"\\q\"\n", "1:5: not valid YAML: found unknown escape character"),
    ])
    func tellsWhatIsNoYAML(_ text: String, _ mistake: String) {
        #expect(read(text).mistakes == [mistake])
    }

    @Test(arguments: ["a: [Int]?\n", "{a: [Int]?}", "a: \"Red\" | green\n", "a: [Int] = []\n"])
    func advisesQuotesForTypes(_ text: String) {
        let findings = Findings(file: "f", text: text)
        _ = SourceDocument.root(findings)
        #expect(findings.mistakes.map(\.suggestion) == [.advice("put the whole type in single quotes, as in '[Int]?'")])
    }

    @Test func advisesQuotesForPaths() {
        let findings = Findings(file: "f", text: "GET /a/{id}: {to: fruit /{id}, value: Int}\n")
        _ = SourceDocument.root(findings)
        #expect(
            findings.mistakes.map(\.suggestion) == [.advice("inside of braces, put a path with placeholders in quotes")]
        )
    }

    /// A billion laughs.
    @Test func boundsAliases() {
        var text = "a0: &a0 [x]\n"
        for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(read(text).mistakes.map { $0.drop { $0 != " " } } == [" the page is too large"])
    }

    /// The limit says what it is, whether aliases have to do with it or not.
    @Test func boundsNodes() {
        let text = "[" + String(repeating: "1,", count: SourceDocument.nodeCountMax) + "]"
        let findings = Findings(file: "", text: text)
        _ = SourceDocument.root(findings)
        #expect(findings.mistakes.map(\.message) == ["the page is too large"])
        #expect(findings.mistakes.first?.expected?.hasPrefix("at most 500000 keys, values and list items") == true)
    }

    /// Mappings in one long line with characters of several bytes: each place is counted from the one before.
    @Test func countsLongLinesOnce() throws {
        let count = 20_000
        let node = try #require(read("é: [" + (0..<count).map { "{ü\($0): 1}" }.joined(separator: ", ") + "]").node)
        let items = try #require(node.entries?.first?.value.items)
        #expect(items.count == count)
        #expect(items.allSatisfy { if case .mapping(let mapping) = $0.content { mapping.isFlow } else { false } })
    }

    @Test func givesUpOnManyRepeatedKeys() {
        let text = (0..<80).map { "k\($0): 1\nk\($0): 2\n" }.joined()
        #expect(read(text).mistakes.count == 1)
        #expect(read(text).node == nil)
    }

    /// As many as nobody writes by mistake, and none more.
    @Test(arguments: [(64, true), (65, false)])
    func soManyRepeatedKeysComeThrough(_ count: Int, _ isRead: Bool) {
        let text = (0..<count).map { "k\($0): 1\nk\($0): 2\n" }.joined()
        #expect((read(text).node != nil) == isRead)
    }

    /// Behind an alias stands as much and as deep as behind its anchor, and it is told where it is asked for.
    @Test(arguments: [
        ("a: &a [[[x]]]\nb: " + String(repeating: "[", count: 62) + "*a" + String(repeating: "]", count: 62), "deeply"),
        (
            "a: &a [" + String(repeating: "x,", count: 300_000) + "]\nb: *a\n", "large"
        ),
    ])
    func weighsAliases(_ text: String, _ word: String) {
        let mistakes = read(text).mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.hasPrefix("2:") == true && mistakes.first?.contains(word) == true, "\(mistakes)")
    }

    /// An alias stands for what its name meant last, at the places where that stands.
    @Test func aliasesMeanTheLatestAnchor() throws {
        let node = try #require(read("a: &x 1\nb: *x\nc: &x {d: 2}\ne: *x\n*x : f\n").node)
        #expect(node.value("b")?.text == "1")
        #expect(node.value("b")?.place == .init(line: 1, column: 4))
        #expect(node.value("e")?.value("d")?.place == .init(line: 3, column: 11))
        #expect(node.entries?.last?.key.entries?.count == 1)
    }

    /// YAML 1.1 would put the keys of `x` into `b`; here `<<` is a key as any other, which nobody knows.
    @Test func mergesNothing() throws {
        let node = try #require(read("a: &x {c: 1}\nb:\n  <<: *x\n").node)
        #expect(node.value("b")?.entries?.map(\.key.text) == ["<<"])
    }

    @Test(arguments: ["a: &x [*x]\n", "a: &x {b: *x}\n"])
    func nothingHoldsItself(_ text: String) {
        #expect(read(text).mistakes.count == 1)
        #expect(read(text).mistakes.allSatisfy { $0.hasSuffix("the alias '*x' stands in the value that it names") })
    }

    @Test func tellsBracesFromLines() throws {
        let node = try #require(read("a: &x {b: 1}\n{c: d}: e\nf: !t {g: 1}\nh:\n  i: 1\n").node)
        func isFlow(_ node: SourceNode?) -> Bool? {
            if case .mapping(let mapping) = node?.content { mapping.isFlow } else { nil }
        }
        #expect(isFlow(node) == false)
        #expect(["a", "f", "h"].map { isFlow(node.value($0)) } == [true, true, false])
        #expect(isFlow(node.entries?[1].key) == true)
    }

    /// A tag changes nothing: sections know what they want.
    @Test func ignoresTags() throws {
        let node = try #require(read("a: !!int '1'\nb: !!str 2\n!x c: 3\n").node)
        #expect(node.entries?.map(\.key.text) == ["a", "b", "c"])
        #expect(["a", "b", "c"].map { node.value($0)?.text } == ["1", "2", "3"])
    }

    @Test func aNullCharacterIsOneInQuotesAlone() throws {
        #expect(try #require(read("a: \"x\\0y\"\n").node).value("a")?.text == "x\u{0}y")
        let mistake = "2:5: not readable as text: control characters are not allowed"
        #expect(read("a: 1\nb: x\u{0}y\n").mistakes == [mistake])
    }

    @Test(arguments: ["", "\n", "# nothing\n", "---\n...\n"])
    func readsEmptyPages(_ text: String) {
        let (node, mistakes) = read(text)
        #expect(mistakes.isEmpty)
        #expect(node?.isNull ?? true)
    }

    /// As deep as a file can be: neither the parser nor the tree may take a frame of the stack for a level.
    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func deepNestingEndsWithAMistake(_ opening: String) {
        let mistakes = read(String(repeating: opening, count: 1_000_000)).mistakes
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.hasSuffix("the page is nested too deeply") == true, "\(mistakes)")
    }

    @Test func boundsDepth() {
        let text = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        #expect(read(text).mistakes == ["1:66: the page is nested too deeply"])
    }

    @Test func readsFragments() {
        let place = SourceNode.Place(line: 7, column: 9)
        #expect(SourceDocument.fragment("a: b", at: place)?.text == "a: b")
        #expect(SourceDocument.fragment("\"a\"", at: place)?.text == "a")
        #expect(SourceDocument.fragment("[1, 2]", at: place)?.items?.map(\.text) == ["1", "2"])
        #expect(SourceDocument.fragment("[1, 2", at: place) == nil)
        #expect(SourceDocument.fragment("x", at: place)?.place == place)
    }
}
