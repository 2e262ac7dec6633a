import Testing

@testable import SluiceConfig

@Suite struct MistakeTests {
    @Test func describesItself() {
        let mistake = Mistake(
            file: "a.yaml", line: 3, column: 5, message: "unknown key 'lmit'", expected: "limit",
            suggestion: .didYouMean("limit"))
        #expect(mistake.description == "a.yaml:3:5: unknown key 'lmit'; expected limit; did you mean 'limit'?")
        #expect(
            Mistake(file: "a", line: 1, column: 1, message: "m", suggestion: .advice("do it")).description
                == "a:1:1: m; do it")
    }

    /// What is nearly right says what is.
    @Test(arguments: [
        ("tls: {verify: No}", "the text 'No' where a switch is wanted → false"),
        ("tls: {verify: TRUE}", "the text 'TRUE' where a switch is wanted → true"),
        ("early: 1", "the text '1' where a switch is wanted → true"),
        (
            "headers: {X-A: 'Key ${KEY}'}",
            "variables such as '${KEY}' are not filled in → secrets alone may come from one: {env: KEY}"
        ),
        (
            "bearer: {value: $TOKEN}",
            "variables such as '$TOKEN' are not filled in → secrets alone may come from one: {env: TOKEN}"
        ),
    ])
    func tellsTheCure(_ upstream: String, _ mistake: String) {
        let bench = Bench("upstreams:\n  a:\n    url: https://a.example\n    \(upstream)\n")
        #expect(bench.mistakes.map { $0.drop { $0 != " " }.dropFirst() } == [mistake[...]])
    }

    @Test func showsThePlace() {
        let mistake = Mistake(file: "a", line: 1, column: 4, message: "m", sourceLine: "a:\tbc")
        #expect(mistake.excerpt == "    a:\tbc\n      \t^")
    }

    /// DESIGN §8: no message ever holds a token.
    @Test(arguments: [
        "    token: s3cret", "    bearer: {env: s3cret}", "    bearer: s3cret", "    bearer: {vlaue: s3cret}",
        "    bearer: {s3cret}", "    bearer: {value: 's3cret ö'}",
        "    bearer:\n      value: s3cret\n      evn: X", "    headers: {X-Api-Key: \"s3cret\\n\"}",
        "    bearer: {value: s3cret", "    bearer: {value: s3cret}}", "    api-key: {value: s3cret}",
        "    basic: {user: me, password: s3cret}", "    credential: {oauth2: {client-secret: {value: s3cret}}}",
        "    baerer: {value: s3cret}", "    hmac: {key: s3cret}", "    credential: {hmac: {keyy: {value: s3cret}}}",
    ])
    func hidesSecrets(_ lines: String) {
        let loaded = Bench("upstreams:\n  a:\n    url: http://127.0.0.1:1\n\(lines)\n").load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"))
        }
    }

    /// As a page's author sees them, whatever else is wrong on their line.
    @Test(arguments: [
        "hmac: {key: s3cret}", "hmac: {key: {value: s3cret}, key-encoding: hex}", "hmac: {key: {valeu: s3cret}}",
        "hmac: {key: {value: s3cret}, key: {value: s3cret}}", "hmac: {keyy: {value: s3cret}}", "baerer: s3cret",
        "hmac: {key: {value: s3cret}, parts: [method, dat], fields: {X-S: '{signature}'}}",
        "oauth2: {client-id: a, token-url: 'https://x', key: {value: s3cret}}",
        "oauth2: {client-id: a, token-url: 'https://me:s3cret@x/t'}", "oauth2: {client-id: a, issuer: 'me:s3cret@x'}",
        "oauth2: {client-id: a, token-url: 'https://me:s3/cret@x/t', issuer: 'https://me:s3cret@x'}",
        "oauth2: {client-id: a, token-url: 'x?api_key=s3cret'}", "command: {run: [gh, s3cret], tmeout: 1s}",
        "command: {run: 'gh s3cret'}", "aws-sigv4: {service: s3, region: a, access-key: s3cret}",
    ])
    func hidesSecretsOfCredentials(_ kind: String) {
        let loaded = Bench("credentials:\n  a: {\(kind)}\n").load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"), "\(mistake)")
        }
    }

    @Test func aURLWithAPasswordIsNotRepeatedWhereAMappingIsWanted() {
        for page in ["upstreams: {a: 'https://me:s3cret@x'}\n", "trace: 'http://x/y?key=s3cret'\n"] {
            let loaded = Bench(page).load()
            #expect(!loaded.mistakes.isEmpty)
            for mistake in loaded.mistakes {
                #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"), "\(mistake)")
            }
        }
    }

    @Test(arguments: [
        "https://u:s3cret@x", "u:s3cret@x", "ftp://u:s3cret@x", "https://u:s3cret@", "unix:/u:s3cret@x",
        "unix:u:s3cret@x", "u:s3cret@x://", "https://u:s3cret/@x", "https://x/y?key=s3cret", "x/y?key=s3cret",
    ])
    func hidesPasswordsOfURLs(_ url: String) {
        let loaded = Bench("upstreams:\n  a: {url: '\(url)'}\n").load()
        #expect(loaded.mistakes.count == 1)
        for mistake in loaded.mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"))
        }
    }

    /// A key in a query is what people paste with the path before it.
    @Test(arguments: [
        "bindings:\n  GET /a: {to: 'u /x?api_key=s3cret'}", "bindings:\n  GET /a: {to: 'u x/?token=s3cret'}",
        "bindings:\n  GET /a: {to: \"u '/x?token=s3cret'\"}",
        "upstreams:\n  u: {url: http://h, health: {path: 'x?token=s3cret'}}",
        "listen: 'http://me:s3cret@host:1'",
    ])
    func hidesKeysOfQueries(_ page: String) {
        let loaded = Bench(page + "\n").load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"), "\(mistake)")
        }
    }

    /// A page that cannot be read to its end has no tree that tells where secrets stand, and their key may be far away.
    @Test(arguments: [
        String(repeating: "[", count: 70) + "s3cret" + String(repeating: "]", count: 70), "[s3cret, *nothing]",
        "{a: s3cret, a: [}",
    ])
    func secretsFarBelowTheirKeyAreNotShown(_ value: String) {
        let page = """
            upstreams:
              fruit:
                url: http://fruit.example
                headers:
                  X-Api-Key:
            \(String(repeating: "\n", count: 9))
                    \(value)
            """
        let loaded = Bench(page).load()
        #expect(!loaded.mistakes.isEmpty)
        for mistake in loaded.mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"), "\(mistake)")
        }
    }
}
