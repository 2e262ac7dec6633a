import SluiceContract
import Testing

@Suite struct PathTemplateTests {
    static let templates: [(String, [PathTemplate.Segment], Bool)] = [
        ("/", [], false), ("/**", [], true), ("/fruits", [[.text("fruits")]], false),
        ("/fruits/", [[.text("fruits")], []], false),
        ("/fruits/{id}", [[.text("fruits")], [.placeholder("id")]], false),
        (
            "/v{version}/x-{a}.{b}",
            [[.text("v"), .placeholder("version")], [.text("x-"), .placeholder("a"), .text("."), .placeholder("b")]],
            false
        ),
        ("/raw/**", [[.text("raw")]], true), ("/a//b", [[.text("a")], [], [.text("b")]], false),
        ("/a**b", [[.text("a**b")]], false),
    ]

    @Test(arguments: templates) func reads(_ text: String, _ segments: [PathTemplate.Segment], _ hasRest: Bool) throws {
        let template = try PathTemplate(text)
        #expect(template.segments == segments)
        #expect(template.hasRest == hasRest)
        #expect(template.description == text)
    }

    @Test(arguments: [
        ("", 0, "a path begins with '/'"), ("fruits", 0, "a path begins with '/'"),
        ("/**/a", 1, "'**' stands only at the end of a path"), ("/a/{b", 3, "a placeholder is written {name}"),
        ("/a}", 2, "a placeholder is written {name}"),
        ("/{}", 1, "a placeholder's name is made of letters, digits, '_' and '-'"),
        ("/{a b}", 1, "a placeholder's name is made of letters, digits, '_' and '-'"),
        ("/{a}{b}", 4, "two placeholders need text between them"),
    ])
    func refuses(_ text: String, _ offset: Int, _ message: String) {
        let error = #expect(throws: PathTemplate.Malformed.self) { try PathTemplate(text) }
        #expect(error?.message == message)
        #expect(error?.offset == offset)
    }

    @Test func tellsPlaceholders() throws {
        #expect(try PathTemplate("/{a}/x{b}y/{c}").placeholders == ["a", "b", "c"])
    }
}
