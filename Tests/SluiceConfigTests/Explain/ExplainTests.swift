import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ExplainTests {
    @Test func fillsInDefaults() {
        let text = Explain.yaml(Configuration())
        #expect(text.contains("listen: [\"127.0.0.1:8080\"]\n"))
        #expect(text.contains("drain: 30s\n"))
        #expect(text.contains("  header-timeout: 10s\n"))
        #expect(Bench(text).configuration() == Configuration())
    }

    /// What the explained page says, setting by setting, with key paths as mistakes have them.
    @Test func settingsHaveKeyPaths() {
        let bench = fruit("GET /a: {to: fruit /a, value: Int, cache: {fresh: 5s}}", upstream: "bearer: {value: s3cret}")
        let settings = Explain.settings(bench.configuration())
        let byKey = Dictionary(settings.map { ($0.key, $0.value) }) { first, _ in first }
        #expect(byKey.count == settings.count)
        #expect(byKey["bindings.\"GET /a\".cache.fresh"] == "5s")
        #expect(byKey["upstreams.fruit.bearer"] == "{value: REDACTED}")
        #expect(byKey["drain"] == "30s" && byKey["limits.keep-alive"] == "75s")
        let lines = Explain.yaml(bench.configuration()).split(separator: "\n").filter { !$0.hasSuffix(":") }
        #expect(settings.count == lines.filter { !$0.hasSuffix(" {}") && !$0.contains(" # ") }.count)
    }

    @Test func showsWhoSharesARequest() {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, value: Int, parent: a, cache: {}}
            GET /b: {to: fruit /a, value: Int, parent: b, cache: {fresh: 1s}}
            GET /c: {to: fruit /a, value: Int, parent: c}
            """)
        let text = Explain.yaml(bench.configuration())
        #expect(text.contains("  # One upstream request serves this and GET /b.\n  GET /a:\n"), "\(text)")
        #expect(text.contains("  # One upstream request serves this and GET /a.\n  GET /b:\n"))
        #expect(Bench(text).configuration() == bench.configuration())
    }

    /// What answers are kept apart by, because the upstream is told of it.
    @Test(arguments: [
        (
            "", "{}",
            "An answer is stored for each host and scheme, which 'fruit' is told. 'fruit' is not told the client's"
                + " address."
        ),
        (
            "", "{private: true}",
            "An answer is stored for each host, scheme and client's address, which 'fruit' is told."
        ),
        (
            "forwarded: pass", "{vary: [Forwarded]}",
            "An answer is stored for each host, scheme and client's address, which 'fruit' is told."
        ),
        ("forwarded: none\nhost: client", "{}", "An answer is stored for each host, which 'fruit' is told."),
        ("forwarded: none", "{}", nil),
    ])
    func showsWhatTheUpstreamIsTold(upstream: String, cache: String, comment: String?) {
        let bench = fruit("GET /a: {to: fruit /a, cache: \(cache)}\nGET /b: {to: fruit /b}", upstream: upstream)
        let text = Explain.yaml(bench.configuration())
        let lines = text.split(separator: "\n").filter { $0.contains("# An answer is stored") }
        #expect(lines == (comment.map { ["  # " + $0[...]] } ?? []), "\(text)")
        #expect(Bench(text).configuration() == bench.configuration())
    }

    @Test func redacts() {
        let bench = fruit(
            "GET /a: {to: fruit /a, headers: {X-Auth-Token: s3cret, X-Plain: shown}}",
            upstream: "bearer: {value: s3cret}\nheaders: {X-Api-Key: s3cret, Cookie: s3cret}")
        let text = Explain.yaml(bench.configuration())
        #expect(!text.contains("s3cret"))
        #expect(text.contains("bearer: {value: REDACTED}"))
        #expect(text.contains("X-Plain: shown"))
        #expect(Bench(text).mistakes == [])
    }

    /// A default under a name that sounds like a credential is not shown, nor is it in listings.
    @Test func redactsParameters() {
        let bench = fruit(
            """
            GET /a:
              to: fruit /a
              params: {api_key: String = s3cret, k: {type: String, as: token, default: s3cret}, limit: Int = 7}
            """
        )
        let text = Explain.yaml(bench.configuration())
        #expect(!text.contains("s3cret"))
        #expect(text.contains("default: 7") && text.contains("default: REDACTED"))
        #expect(Bench(text).mistakes == [])
    }

    /// What an author has put into other settings than those for secrets, under names that tell.
    @Test func redactsTextsThatTell() {
        var bench = fruit(
            "GET /a: {to: fruit /a}", upstream: "health: {path: '/well?token=s3cret&deep=1'}",
            root: """
                credentials:
                  a:
                    oauth2:
                      token-url: 'https://x.example/t?api_key=s3cret&tenant=1'
                      grant: client-credentials
                      client-id: c
                      client-secret: {value: s3cret}
                      params: {password: s3cret, assertion: s3cret, requested_token_type: t, prompt: login}
                  b: {command: {run: [gh, auth, --token=s3cret, --password, s3cret, A_KEY=s3cret, --limit=1, -us3cret]}}
                  c: {hmac: {key: {env: K}, parts: [method, date], fields: {X-Signature: '{date} {signature}'}}}
                """)
        bench.environment = ["K": "abc"]
        let text = Explain.yaml(bench.configuration())
        #expect(!text.contains("s3cret"), "\(text)")
        for shown in [
            "/well?token=REDACTED&deep=1", "/t?api_key=REDACTED&tenant=1", "requested_token_type: t", "prompt: login",
            "--token=REDACTED", "--password", "--limit=REDACTED", "{date} {signature}", "[gh, auth, ",
        ] {
            #expect(text.contains(shown), "\(shown) in \(text)")
        }
    }

    /// Whatever the author's names and values are.
    @Test(arguments: [
        fruit("GET /a: {to: fruit /a, params: {no: String = yes, 'a b': 'Int?', \"null\": \"[Int] = [1]\"}}"),
        fruit("GET /a: {to: fruit /a, value: {no: Int, 'x: y': \"String = ': #'\", type: {type: Int}}}"),
        fruit("GET /a: {to: fruit /a, value: '\"Red\" | \"a | b\" | null'}"),
        fruit("GET /a: {to: fruit /a, value: [{a: {type: [{b: Int}], optional: true}, '*': drop}]}"),
        fruit("GET /a: {to: fruit /a, value: {a: {type: {type: Int, b: Int}, from: x, default: {type: 1, b: 2}}}}"),
        fruit("GET /a: {to: fruit /a, parent: '\"a.b\".\"0\".0', value: JSON, default: {a: ~}}"),
        fruit("POST /a: {to: fruit PUT /a, body: {form: {a: String = x}}, headers: {X-A: 'a: \"b\" #c'}}"),
        fruit("POST /a: {to: fruit /a, body: {text: {type: String}}, wrap: '\"a b\".c'}"),
        fruit("POST /a: {to: fruit /a, params: {x: {type: {a: Int}, optional: true, as: y}}, wrap: w}"),
        fruit("GET|PUT /a/{x}.json: {to: 'fruit /{x}', params: {x: {type: Int}}, error: {404: {code: c}}}"),
        fruit("GET /a: {to: fruit /a, cache: {key: [], tags: ['a b', no]}, serve: [fresh, error]}"),
        fruit("GET /a: {to: fruit /a}", upstream: "host: 'api.example:8080'\nerror: {404: {message: m}, code: c}"),
        fruit(
            "POST /a: {to: fruit /a, upgrade: grpc}",
            upstream: "protocol: h2\npool: {ping: 1s, ping-timeout: 2s, gather: 3ms}"),
        fruit(
            "GET /a: {to: fruit /a}", upstream: "early: true\nhold: 1KiB",
            root: "envelope: {'{': '{status}', n: 1.50, l: [{}]}"),
        fruit(
            "GET /a: {to: fruit /a}",
            root: "listen: ['unix:/a b/c', '[::1]:80']\nhosts: any\nloops: 3\nlog: {access: '-'}"),
    ])
    func readsBackAsTheSame(_ bench: Bench) {
        let configuration = bench.configuration()
        #expect(!configuration.bindings.isEmpty)
        let text = Explain.yaml(configuration)
        #expect(Bench(text).configuration() == configuration, "\(text)")
    }

    @Test(arguments: [
        "a", "a b", "no", "10s", "127.0.0.1:80", "a: b", "a #b", "{x}", "x{y}", "-", "", "0660", "1:30", "'", "\"", "ä",
        "a:", "*", "a\nb",
    ])
    func writesScalarsThatReadBack(_ text: String) throws {
        var writer = YAMLWriter()
        writer.key(text, text)
        writer.list("list", [text, text])
        let node = try #require(SourceDocument.root(Findings(file: "", text: writer.text)))
        #expect(node.value(text)?.text == text)
        #expect(node.value("list")?.items?.map(\.text) == [text, text])
    }
}
