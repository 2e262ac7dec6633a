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
        "params: {pin: String = abc}", "params: {pin?: abcdef}", "params: {api_key?: String = abc}",
        "params: {pin: [s3cret]}", "params: {pin: {type: s3cret}}",
        "apikey: {value: abc}", "api_key: abc", "endpoint: https://me:abc@fruit.example/x", "a: https://me:abc@x",
        "url: http://fruit.example/x?key=abc", "to: fruit /x?api_key=abc", "token-url: https://fruit.example/x?abc",
        "health: {path: '/x?token=abc'}",
    ])
    func aSecretIsHidden(_ page: String) throws {
        #expect(try Self.hidden(in: page) == [1])
    }

    /// A telling name alone is no secret: there has to be something that could be one.
    @Test(arguments: [
        "token:", "token: ''", "token: []", "tokens: [abc, def]", "tokens: {limit: 7}", "client-secret: {file: /abc}",
        "toke: abc", "limit: 7", "url: https://fruit.example/v1", "shared: redis://store.example",
        "note: me@fruit.example", "a: https://fruit.example/@me", "to: fruit /x?token={token}", "- limit:7",
        "- bearer", "headers: {Accept: text/plain}",
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

    /// A short secret stands in many words by chance.
    @Test func aShortSecretIsNoPartOfWords() {
        let mistakes = fruit("GET /a: {to: fruit /a, params: {token: {type: Int, default: t}}}").load().mistakes
        #expect(mistakes.map(\.message) == ["the default is not of its type: the text 'REDACTED'"])
    }

    /// Below `credentials:`, or where a credential stands in the place of its name; whatever else is wrong.
    @Test(arguments: [
        "a: abc", "a: [abc]", "a: {hmac: abc}", "a: {hmac: {key: abc}}", "a: {hmac: {key: {value: abc}}}",
        "a: {hmac: {key: {valeu: abc}}}", "a: {hmac: {key: {env: abc}}}", "a: {hmac: {keyy: {value: abc}}}",
        "a: {hmca: {key: abc}}", "a: {baerer: {value: abc}}", "a: {baerer: abc}", "a: {apikey: {value: abc}}",
        "a: {api_key: abc}", "a: {nothing: abc}", "a: {abc}", "a: {oauth2: {key: {value: abc}}}",
        "a: {oauth2: {token-url: 'https://me:abc@x'}}", "a: {oauth2: {issuer: 'me:abc@x'}}",
        "a: {oauth2: {params: {password: abc}}}", "a: {oauth2: {params: {assertion: abc}}}",
        "a: {oauth2: {key: '-----BEGIN PRIVATE KEY-----'}}", "a: {oauth2: {client-id: {value: abc}}}",
        "a: {command: abc}", "a: {command: {run: [gh, abc], tmeout: 1s}}", "a: {command: {run: gh abc}}",
        "a: {aws-sigv4: {access-key: abc}}", "a: {aws-sigv4: {command: [aws, abc]}}",
    ])
    func aSecretOfACredentialIsHidden(_ credential: String) throws {
        #expect(try Self.hidden(in: "credentials:\n  \(credential)\n") == [2])
        #expect(try Self.hidden(in: "credentails:\n  \(credential)\n") == [2])
    }

    @Test(arguments: [
        "credential: {hmac: {key: abc}}", "credential: {baerer: abc}", "credential: {map: {a: {hmac: {key: abc}}}}",
        "hmac: {key: abc}", "oauth2: {client-id: a, key: {value: abc}}", "command: {run: [gh, abc]}",
    ])
    func aCredentialInAnotherPlaceIsHidden(_ line: String) throws {
        #expect(try Self.hidden(in: "upstreams:\n  a:\n    \(line)\n") == [3])
    }

    @Test(arguments: [
        "a: {hmac: {key: {env: ABC}, parts: [method, dat]}}", "a: {hmac: {key: {file: abc}, encoding: hx}}",
        "a: {command: {run: [gh], tmeout: 1s}}", "a: {command: {run: gh}}", "a: {oauth2: {key: abc.pem, grnat: x}}",
        "a: {oauth2: {params: {prompt: abc}}}", "a: {hmac: {fields: {X-Date: '{date}'}}}",
        "a: {aws-sigv4: {service: s3, regoin: x}}", "a: {oauth2: {tls: {certificate: abc.pem}}}",
    ])
    func whatIsNoSecretOfACredentialIsShown(_ credential: String) throws {
        #expect(try Self.hidden(in: "credentials:\n  \(credential)\n") == [])
    }

    @Test func linesAroundTheSecretOfACredentialAreShown() throws {
        let page = """
            credentials:
              a:
                hmac:
                  key:
                    value: abc
                  parts: [method, dat]
              b:
                command:
                  run:
                    - gh
                    - abc
                  tmeout: 1s
            """
        #expect(try Self.hidden(in: page) == [4, 5, 11])
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
