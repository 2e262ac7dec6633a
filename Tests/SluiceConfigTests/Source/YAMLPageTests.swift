import Testing

@testable import SluiceConfig

/// Slips that a person makes, each told where it is and not where YAML stumbles over it.
@Suite struct YAMLPageTests {
    private static func told(_ text: String) -> [String] {
        Bench(text).mistakes
    }

    private static let deeper =
        "this line is indented deeper than line 2, which has its value already → indent both lines alike"

    @Test(arguments: [
        ("a: 1\nb\nc: 2\n", "2:2: a ':' is missing → b:"),
        ("bindings\n  GET /a:\n    to: b /\n", "1:9: a ':' is missing → bindings:"),
        ("a:\n  to fruit /a\n  value: Int\n", "2:5: a ':' is missing → to: …"),
        ("a:\n  to:fruit /a\n  value: Int\n", "2:5: no space behind the ':' → to: …"),
        ("a:\n  GET /b\n    to: c /\n", "2:9: a ':' is missing → GET /b:"),
        ("a: &wait 1\nb: *wiat\n", "2:4: there is no anchor '&wiat' above → *wait"),
        (
            "b: *wait\na: &wait 1\n",
            "1:4: there is no anchor '&wait' above → write it in front of the value that is meant"
        ),
        (
            "a: {b: String(/[a-/)}\n",
            "1:16: not valid YAML: did not find expected ',' or '}' → "
                + "put the whole type in single quotes, as in 'String(/^[a-z]+$/)'"
        ),
        ("GET: /items:\n  to: a\n", "1:12: a second ':' in one line → GET /items:"),
        ("a: b: c\n", "1:5: a second ':' in one line → put the value in quotes"),
        ("a:\n   b: 1\n    c: 2\n", "3:5: \(deeper)"),
        ("a:\n  b: 1 # one\n# two\n\n    c: 2\n", "5:5: this line is indented by 4, and no entry above it is"),
        ("a:\n    b: 1\n   c: 2\n", "3:4: this line is indented by 3, and no entry above it is"),
        ("a:\n\tb: 1\n", "2:1: a tab in the indentation → indent with spaces, not with tabs"),
        ("a: 'x\nb: 1\n", "1:4: the quote is not closed"),
        ("a: {b: 1\nc: 2\n", "1:4: the '{' is not closed"),
        (
            "a: {value: ${TOKEN}}\n",
            "1:13: not valid YAML: did not find expected ',' or '}' → "
                + "variables are not filled in; secrets alone may come from one: bearer: {env: NAME}"
        ),
        ("a: @b\n", "1:4: a text cannot begin with '@' here → put it in quotes"),
        ("a: {*: Int}\n", "1:5: to YAML, '*' points to another value → put it in quotes, as in \"*\""),
        (
            "a: - b\n",
            "1:4: a list with '-' cannot begin behind its key → begin it in a line of its own, or write [a, b]"
        ),
        (
            "a:\n  - b\n  c: 1\n",
            "3:3: a line without '-' among those of a list → begin it with '-', or leave the '-' out of the others"
        ),
    ])
    func tellsTheSlip(_ text: String, _ mistake: String) {
        #expect(Self.told(text) == [mistake])
    }

    /// What stands near a secret is not repeated.
    @Test(arguments: [
        "u:\n  bearer:\n    s3cret\n    value: x\n", "u:\n  bearer:s3cret\n  url: x\n",
        "upstreams:\n  u:\n    bearer:s3cret\n", "clients: {ci: s3cret}\n", "clients:\n  ci: key:s3cret\n",
        "u:\n  bearer s3cret\n  url: x\n",
    ])
    func repeatsNoSecret(_ text: String) {
        let loaded = Bench(text).load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes { #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret")) }
    }
}
