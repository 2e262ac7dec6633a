import Foundation
import Testing

/// What a composed page asks, and requests that look alike.
extension RecordingTests {
    /// Each part is an exchange with an upstream, and is found again where that is gone.
    @Test func aComposedPageIsReplayed() throws {
        let origin = try DocumentOrigin([
            "/users/7": #"{"id": 7, "name": "Ada", "badges": ["a", "b"]}"#, "/badges/a": "1", "/badges/b": "2",
            "/posts?author=7": #"[{"title": "On engines"}]"#,
        ])
        let page = """
            upstreams: {api: {url: "\(origin.url)"}}
            bindings:
              GET /users/{id}:
                to: api /users/{id}
                params: {id: Int}
                value: {id: Int, name: String, badges: [String]}
              GET /posts: {to: api /posts, params: {author: Int}, value: JSON}
              GET /badges/{badge}: {to: "api /badges/{badge}", params: {badge: String}, value: Int}
              GET /weather: {to: api /weather, value: Int}
              GET /profile/{id}:
                params: {id: Int}
                parts:
                  user: GET /users/{id}
                  posts: GET /posts?author={user.id}
                  badges: {from: "GET /badges/{badge}", each: user.badges, as: badge}
                  weather: {from: GET /weather, optional: true}
                value: {name: String from user.name, posts: JSON, badges: [Int], weather: "Int?"}
              GET /page/{id}: {params: {id: Int}, parts: {profile: "GET /profile/{id}"}}
            """
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        let live = try recorder.get("/page/7")
        let expected =
            #"{"profile":{"name":"Ada","posts":[{"title": "On engines"}],"badges":[1,2],"weather":null}}"#
        #expect(live.status == 200 && live.text == expected, "\(live.text)")
        #expect(recorder.end() == 0)
        origin.end()
        let files = try Self.files(folder.file("r"))
        #expect(files.count == 5 && files.keys.allSatisfy { $0.hasPrefix("api/GET-") }, "\(files.keys)")
        let replaying = try Daemon(page, options: ["--replay", folder.file("r")])
        defer { replaying.end() }
        let replayed = try replaying.get("/page/7")
        #expect(replayed.status == 200 && replayed.text == expected, "\(replayed.text)")
    }

    /// An origin that answers with the query that it is asked for.
    private static func page(_ origin: String) -> String {
        """
        upstreams: {a: {url: "\(origin)"}}
        bindings: {ANY /a: {to: a /a, unknown-params: pass}}
        """
    }

    /// Where values are left out that only sound like credentials, requests are taken for one; that is told, once, and
    /// `--compare` tells them apart.
    @Test func requestsThatLookAlikeAreTold() throws {
        let origin = try DocumentOrigin([
            "/a?sort_key=description": #""by description""#, "/a?sort_key=measurement": #""by measurement""#,
        ])
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let queries = ["description", "measurement", "description"]
        func ask(_ gateway: Daemon, _ queries: [String]) throws -> [String] {
            try queries.map { try gateway.get("/a?sort_key=\($0)").text }
        }
        let recorder = try Daemon(Self.page(origin.url), verb: "record", options: ["--to", folder.file("one")])
        let live = try ask(recorder, queries)
        #expect(recorder.end() == 0)
        let log = recorder.process.errors
        #expect(log.components(separatedBy: "are taken for one").count == 2 && log.contains("sort_key=***"), "\(log)")

        let comparing = try Daemon(
            Self.page(origin.url), verb: "record", options: ["--to", folder.file("two"), "--compare", "sort_key"])
        #expect(try ask(comparing, queries) == live)
        #expect(comparing.end() == 0)
        #expect(!comparing.process.errors.contains("are taken for one"), "\(comparing.process.errors)")
        let replaying = try Daemon(Self.page(origin.url), options: ["--replay", folder.file("two")])
        defer { replaying.end() }
        #expect(try ask(replaying, queries.reversed()) == live.reversed())
        #expect(try ask(replaying, ["measurement", "measurement"]) == [live[1], live[1]])
    }

    /// A PIN is a number, and a form may end with a line.
    @Test func numbersAndFormsAreMasked() throws {
        let said = Self.ok(#"{"pin":48291,"max_tokens":7}"#)
        let origin = try ScriptedOrigin([[.head, .body(13), .send(said), .head, .body(24), .send(said)]])
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let form = "Content-Type: application/x-www-form-urlencoded"
        func ask(_ gateway: Daemon, _ secret: Int) throws -> [String] {
            try [
                gateway.client().request(
                    "POST", "/a", fields: ["Content-Type: application/json"], body: #"{"otp":\#(secret)}"#),
                gateway.client().request("POST", "/a", fields: [form], body: "user=ann&password=\(secret)\n"),
            ].map { "\($0.status) \($0.text)" }
        }
        let recorder = try Daemon(
            "loops: 1\n" + Self.page(origin.url), verb: "record", options: ["--to", folder.file("r")])
        #expect(try ask(recorder, 73915) == Array(repeating: #"200 {"pin":48291,"max_tokens":7}"#, count: 2))
        #expect(recorder.end() == 0)
        let all = try Self.files(folder.file("r")).values.joined()
        #expect(!all.contains("48291") && !all.contains("73915") && all.contains("max_tokens\":7"), "\(all)")
        let replaying = try Daemon(Self.page(origin.url), options: ["--replay", folder.file("r")])
        defer { replaying.end() }
        let answer = #"200 {"pin":0,"max_tokens":7}"#
        #expect(try ask(replaying, 55555) == [answer, answer])
    }

    // MARK: - Archives

    /// What was imported is replayed, whatever stood beside it in the archive.
    @Test func anImportIsReadBack() throws {
        let folder = try TemporaryFolder()
        func entry(
            _ url: String, method: String = "GET", at: String = "2026-01-31T12:00:00.000Z", fields: String = "",
            body: String = "1"
        ) -> String {
            """
            {"startedDateTime":"\(at)","time":1,"request":{"method":"\(method)","url":"\(url)","headers":[]},
            "response":{"status":200,"headers":[\(fields)],"content":{"text":"\(body)"}}}
            """
        }
        let latin = #"{"name":"Content-Type","value":"text/plain; charset=ISO-8859-1"}"#
        let strange = [
            entry("http://a.example/a", method: "", body: "2"), entry("http://a.example/a", method: "null\\nx: y"),
            entry("http://a.example/a", fields: #"{"name":"a b","value":"c"}"#),
            entry("http://a.example/a", fields: #"{"name":"X-A","value":"c\u0001d"}"#),
            entry("http://ann:har-5up3rs3cret@nobody.example/a"),
        ]
        let usual = [
            entry("http://a.example/a", at: "1970-01-01T00:30:00.000+01:00"), entry("http://a.example/a", body: "2"),
            entry("http://ann:har-5up3rs3cret@a.example/b", at: "2026-01-31T-1:00:00.000Z", body: "3"),
            entry("http://a.example/lines", fields: #"{"name":"X-A","value":"c\nd"}"#, body: "4"),
            entry("http://a.example/latin", fields: latin, body: "né"),
        ]
        let page = "upstreams: {a: {url: \"http://a.example\"}}\nbindings: {GET /**: {to: a /**}}\n"
        let config = try folder.write("listen: 127.0.0.1:0\n" + page, to: "sluice.yaml")
        func imported(_ entries: [String]) throws -> ChildProcess {
            let archive = try folder.write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "a.har")
            return try Daemon.run("har", "import", archive, "--to", folder.file("r"), "--config", config)
        }
        let run = try imported(strange + usual)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.errors.components(separatedBy: "not taken").count == strange.count + 1, "\(run.errors)")
        let files = try Self.files(folder.file("r"))
        #expect(files.count == usual.count, "\(files.keys)")
        #expect(!(run.errors + files.values.joined()).contains("5up3rs3cret"))
        let first = try Daemon(page, options: ["--replay", folder.file("r")])
        #expect(try ["/a", "/a", "/b"].map { try first.get($0).text } == ["1", "2", "3"])
        #expect(try first.get("/lines").fields.filter { $0.name.lowercased() == "x-a" }.map(\.value) == ["c", "d"])
        let text = try first.get("/latin")
        #expect(text.text == "né" && text["Content-Type"] == "text/plain; charset=utf-8")
        first.end()
        // A shorter archive leaves nothing of the longer one behind.
        #expect(try imported([entry("http://a.example/a", body: "9")]).exitStatus == 0)
        let second = try Daemon(page, options: ["--replay", folder.file("r")])
        defer { second.end() }
        #expect(try ["/a", "/a"].map { try second.get($0).text } == ["9", "9"])
    }

    /// A pipe in the folder is no recording, and nobody waits for it.
    @Test func aPipeIsNoRecording() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("r"), withIntermediateDirectories: true)
        #expect(folder.file("r/a.yaml").withCString { mkfifo($0, 0o600) } == 0)
        let page = try folder.write(
            "listen: 127.0.0.1:0\nupstreams: {a: {url: \"http://127.0.0.1:1\"}}\nbindings: {GET /a: {to: a /a}}\n",
            to: "sluice.yaml")
        let run = try Daemon.run("serve", page, "--replay", folder.file("r"))
        #expect(run.exitStatus == 2 && run.errors.contains("it is no file"), "\(run.errors)")
    }
}
