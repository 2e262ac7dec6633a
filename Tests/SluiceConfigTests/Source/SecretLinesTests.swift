import SluiceJSON
import SluiceRules
import Testing

@testable import SluiceConfig

/// Which lines of a page no message shows, and that it shows the others.
@Suite struct SecretLinesTests {
    /// Numbers of the lines that are hidden.
    private static func hidden(in page: String) throws -> [Int] {
        let findings = Findings(file: "f", text: page)
        _ = try #require(SourceDocument.root(findings))
        for line in 1...findings.lines.count { findings.mistake(at: .init(line: line, column: 1), "wrong") }
        return findings.loaded().mistakes.filter { $0.sourceLine == nil }.map(\.line)
    }

    @Test(arguments: [
        "token: abc", "my-token: abc", "tokens: abc", "X-SECRET: abc", "password: abc", "Authorization: abc",
        "reauth: abc", "API-Key: abc", "bearer: abc", "url: https://me:abc@fruit.example",
        "shared: redis://:abc@store.example", "client-secret: {value: abc}", "bearer: {env: ABC}", "- bearer:abc",
        "- token:abc", "{a: {b: [{token: abc}]}}", "headers: {Cookie: abc}", "params: {pin: {default: '1'}}",
        "params: {pin: {fixed: '1'}}", "params: {x: {as: pin, default: '1'}}", "params: {pin: s3cret}",
        "params: {pin: String = abc}", "params: {pin: [s3cret]}", "params: {pin: {type: s3cret}}",
    ])
    func aSecretIsHidden(_ page: String) throws {
        #expect(try Self.hidden(in: page) == [1])
    }

    /// A telling name alone is no secret: there has to be something that could be one.
    @Test(arguments: [
        "token:", "token: ''", "token: []", "tokens: [abc, def]", "tokens: {limit: 7}", "client-secret: {file: /abc}",
        "toke: abc", "limit: 7", "url: https://fruit.example/v1", "shared: redis://store.example",
        "note: me@fruit.example", "- limit:7", "- bearer", "headers: {Accept: text/plain}",
        "params: {pin: String}", "params: {pin: '[Int]'}", "params: {pin: {type: String}}",
        "params: {limit: {default: '1'}}", "params: {limit: s3cret}",
        "auth:\n  - {limit: 7}\nsecrets:\n  folder: {mode: 7}\n",
    ])
    func whatIsNoSecretIsShown(_ page: String) throws {
        #expect(try Self.hidden(in: page) == [])
    }

    @Test func linesAroundASecretAreShown() throws {
        let page = """
            upstreams:
              fruit:
                url: https://fruit.example
                bearer:
                  value: abc
                  other: [def,
                    ghi]
                headers:
                  X-Api-Key: abc
                  Accept: text/plain
            bindings:
              GET /fruits:
                params:
                  token:
                    type: String
                    default: abc
                  limit: Int
            """
        #expect(try Self.hidden(in: page) == [4, 5, 6, 7, 9, 16])
    }

    /// Of a text that goes over several lines all are hidden; one line more does no harm.
    @Test(arguments: ["|", "|-"])
    func everyLineOfABlockIsHidden(_ style: String) throws {
        let hidden = try Self.hidden(in: "a: 1\npassword: \(style)\n  abc\n  def\n  ghi\nb: 1\nc: 2\nd: 3\n")
        #expect(Set(hidden).isSuperset(of: [2, 3, 4, 5]))
        #expect(Set(hidden).isDisjoint(with: [1, 7, 8]))
    }

    // MARK: - Messages

    /// Not whole, and not with its end cut off.
    @Test(arguments: [
        "s3cret", "s3cret\nmore", "s3cret…more", "s3cret…" + String(repeating: "x", count: 60),
        "no…s3cret" + String(repeating: "x", count: 60),
    ])
    func noMessageRepeatsASecret(_ secret: String) {
        let findings = Findings(file: "f", text: "a: 1")
        findings.hide(secret)
        findings.mistake(at: .init(line: 1, column: 1), "'\(Shown.line(of: secret))' is wrong")
        #expect(findings.loaded().mistakes.first?.message.contains("s3cret") == false)
    }

    /// The sign for an end that is cut off may be a secret's own.
    @Test func aPartOfASecretIsNone() {
        let findings = Findings(file: "f", text: "a: 1")
        findings.hide("a…b")
        findings.mistake(at: .init(line: 1, column: 1), "a mistake")
        #expect(findings.loaded().mistakes.first?.message == "a mistake")
    }

    /// Shorter ones may stand by chance in what we say ourselves.
    @Test(arguments: [("abc", "not abc"), ("abcd", "not REDACTED")])
    func whatIsExpectedRepeatsNoSecretOfFourBytes(_ secret: String, _ expected: String) {
        let findings = Findings(file: "f", text: "a: 1")
        findings.hide(secret)
        findings.mistake(at: .init(line: 1, column: 1), "wrong", expected: "not \(secret)")
        #expect(findings.loaded().mistakes.first?.expected == expected)
    }
}
