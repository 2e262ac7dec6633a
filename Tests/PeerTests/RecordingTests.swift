import Foundation
import Testing

/// What a recording must not hold, must not touch, and must give back.
@Suite struct RecordingTests {
    /// All files below a folder, by their paths in it.
    static func files(_ folder: String) throws -> [String: String] {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return try names.filter { $0.hasSuffix(".yaml") }.reduce(into: [:]) {
            $0[$1] = try String(contentsOfFile: folder + "/" + $1, encoding: .utf8)
        }
    }

    static func ok(_ body: String, _ fields: String = "Content-Type: application/json") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Whoever the secret belongs to, and wherever it turns up.
    @Test func secretsAreNowhere() throws {
        let secrets = [
            "bearer-5up3rs3cret", "header-5up3rs3cret", "target-5up3rs3cret", "member-5up3rs3cret",
            "client-5up3rs3cret", "cookie-5up3rs3cret", "query-5up3rs3cret", "session-5up3rs3cret",
            "answer-5up3rs3cret", "fig@example.org",
        ]
        let echo =
            #"{"said":"bearer-5up3rs3cret header-5up3rs3cret target%2D5up3rs3cret client-5up3rs3cret","#
            + #""member":"member-5up3rs3cret","refresh_token":"answer-5up3rs3cret","email":"fig@example.org","#
            + #""url":"/a?sig=query-5up3rs3cret&n=1","cookie":"cookie-5up3rs3cret","n":1}"#
        let origin = try ScriptedOrigin(
            [],
            thereafter: [
                .head,
                .send(
                    Self.ok(
                        echo,
                        "Content-Type: application/json\r\nSet-Cookie: s=session-5up3rs3cret\r\n"
                            + "X-Auth-Token: answer-5up3rs3cret\r\nLink: </b?token=query-5up3rs3cret>; rel=next\r\n"
                            + "X-Said: bearer-5up3rs3cret")),
            ])
        defer { origin.end() }
        let page = """
            upstreams:
              a:
                url: "\(origin.url)"
                bearer: {env: A_TOKEN}
                headers: {X-Thing: {env: A_HEADER}}
            bindings:
              POST /a:
                to: a /a/{room}
                params: {room: {fixed: {env: A_TARGET}}, user: {fixed: {env: A_MEMBER}, in: body}}
                body: {n: Int}
                unknown-params: pass
                unknown: reject
            """
        let environment = [
            "A_TOKEN": secrets[0], "A_HEADER": secrets[1], "A_TARGET": secrets[2], "A_MEMBER": secrets[3],
        ]
        let folder = try TemporaryFolder()
        let recordings = folder.file("r")
        func ask(_ gateway: Daemon) throws -> HTTPResponse {
            try gateway.client().request(
                "POST", "/a?sig=query-5up3rs3cret&email=fig%40example.org",
                fields: [
                    "Content-Type: application/json", "Cookie: sid=cookie-5up3rs3cret", "X-Session: client-5up3rs3cret",
                ], body: #"{"n":1}"#)
        }
        let recorder = try Daemon(
            page, environment: environment, verb: "record", options: ["--to", recordings, "--without", "email"])
        let live = try ask(recorder)
        recorder.end()
        #expect(live.status == 200 && live.text == echo, "\(live)")
        let all = try Self.files(recordings).map { $0.key + "\n" + $0.value }.joined()
        #expect(all.contains("***"))
        for secret in secrets { #expect(!all.contains(secret), "\(secret) in \(all)") }

        // And it is found again, by the same request with other secrets, where none of the page's is there.
        let replaying = try Daemon(page, options: ["--replay", recordings])
        defer { replaying.end() }
        let replayed = try ask(replaying)
        #expect(replayed.status == 200 && replayed.text.hasSuffix(#""n":1}"#), "\(replayed.text)")
    }

    /// Each answer of a real server, to the byte and in the order of its fields.
    @Test(.needsPeers) func everyByteComesBack() throws {
        let page = try """
        upstreams: {bin: {url: "\(Httpbin.shared.get().url)"}}
        bindings:
          ANY /bin/**: {to: bin /**}
          GET /follow/**: {to: bin /**, follow: same-origin}
        """
        let walk = [
            "/bin/bytes/5000?seed=7", "/bin/image/png", "/bin/stream-bytes/9000?seed=1&chunk_size=1000", "/bin/xml",
            "/bin/encoding/utf8", "/bin/redirect-to?url=/bin/get", "/bin/status/418", "/bin/status/204",
            "/bin/status/304", "/bin/response-headers?X-A=b&X-a=c&Set-Cookie=a%3Db", "/bin/stream/3",
            "/bin/gzip", "/bin/base64/AAECAw==", "/follow/redirect/2", "/bin/etag/abc", "/bin/range/100", "/bin/deny",
        ]
        func answers(_ gateway: Daemon) throws -> [[String]] {
            try walk.map { target in
                let answer = try gateway.get(target)
                #expect(answer.isComplete)
                let fields = answer.fields.filter { !["date", "set-cookie"].contains($0.name.lowercased()) }
                return ["\(target) \(answer.status)", "\(answer.body)"]
                    + fields.map { "\($0.name): \($0.value)" }.sorted()
            }
        }
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        let live = try answers(recorder)
        // A new recording takes the place of the old one, and the answers in their order stay in it.
        recorder.end()
        let errors = recorder.process.errors
        let replaying = try Daemon(page, options: ["--replay", folder.file("r")])
        defer { replaying.end() }
        for (before, after) in zip(live, try answers(replaying)) {
            // It is in a coding, though it was not asked for one; so it is told that it was not kept.
            if before[0].hasPrefix("/bin/gzip") {
                #expect(after[0].hasSuffix("501") && errors.contains("content coding"), "\(after) \(errors)")
            } else {
                #expect(Self.framed(before) == Self.framed(after))
            }
        }
    }

    /// Chunks are the hop's matter; what is played has a length.
    private static func framed(_ lines: [String]) -> [String] {
        lines.filter { line in
            !["transfer-encoding:", "content-length:"].contains { line.lowercased().hasPrefix($0) }
        }
    }

    /// What a retry has replaced is no answer that anybody got.
    @Test func aRetryIsRecordedByItsEnd() throws {
        let answers: [ScriptedOrigin.Step] = [
            .head, .send("HTTP/1.1 503 Not Now\r\nContent-Length: 2\r\n\r\nno"), .head, .send(Self.ok("[1]")),
        ]
        let origin = try ScriptedOrigin([answers + answers], thereafter: answers)
        let page = """
            upstreams: {a: {url: "\(origin.url)"}}
            bindings: {GET /a: {to: a /a, value: "[Int]", retry: {attempts: 2, on: [503], backoff: 1ms}}}
            """
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        #expect(try recorder.get("/a").text == "[1]")
        recorder.end()
        origin.end()
        let replaying = try Daemon(page, options: ["--replay", folder.file("r")])
        defer { replaying.end() }
        #expect(try replaying.get("/a").text == "[1]")
        #expect(try replaying.get("/a").text == "[1]")
    }

    /// Answers to the same request come one after the other, and the last one stays.
    @Test func answersComeInTheirOrder() throws {
        let origin = try ScriptedOrigin(
            [["1", "2", "3"].flatMap { [ScriptedOrigin.Step.head, .send(Self.ok($0))] }], thereafter: [.close])
        // All requests on one connection to the origin, which has its answers in an order.
        let page = "loops: 1\nupstreams: {a: {url: \"\(origin.url)\"}}\nbindings: {GET /a: {to: a /a, value: Int}}\n"
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        #expect(try (0..<3).map { _ in try recorder.get("/a").text } == ["1", "2", "3"])
        recorder.end()
        origin.end()
        let replaying = try Daemon(page, options: ["--replay", folder.file("r")])
        #expect(try (0..<5).map { _ in try replaying.get("/a").text } == ["1", "2", "3", "3", "3"])
        replaying.end()
        // A shorter recording leaves nothing of the longer one.
        let again = try ScriptedOrigin(answering: Self.ok("9"))
        defer { again.end() }
        let second = try Daemon(
            page.replacingOccurrences(of: origin.url, with: again.url), verb: "record",
            options: ["--to", folder.file("r")])
        #expect(try second.get("/a").text == "9")
        second.end()
        #expect(try Self.files(folder.file("r")).count == 1)
    }

    // MARK: - The folder

    @Test func oneProcessRecordsAtATime() throws {
        let origin = try ScriptedOrigin(answering: Self.ok("1"))
        defer { origin.end() }
        let page = "upstreams: {a: {url: \"\(origin.url)\"}}\nbindings: {GET /a: {to: a /a}}\n"
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        let path = try folder.write("listen: 127.0.0.1:0\n" + page, to: "sluice.yaml")
        let other = try Daemon.run("record", path, "--to", folder.file("r"))
        #expect(other.exitStatus == 1 && other.errors.contains("another process records there"), "\(other.errors)")
        #expect(try recorder.get("/a").text == "1")
        // It may end in any way; the next one finds no lock, and no half of a file is taken for one.
        recorder.process.signal(SIGKILL)
        _ = try recorder.process.waitForExit()
        try folder.write("upstream: a\nrequ", to: "r/a/GET-a-000000000000.yaml.part")
        let next = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        #expect(try next.get("/a").text == "1")
        #expect(next.end() == 0)
        let replaying = try Daemon(page, options: ["--replay", folder.file("r")])
        defer { replaying.end() }
        #expect(try replaying.get("/a").text == "1")
    }

    /// A folder that somebody else has filled leads nowhere else.
    @Test func nothingIsWrittenThroughALink() throws {
        let origin = try ScriptedOrigin(answering: Self.ok("1"))
        defer { origin.end() }
        let page = """
            upstreams: {a: {url: "\(origin.url)"}, b: {url: "\(origin.url)"}}
            bindings: {GET /a: {to: a /a}, GET /b: {to: b /b}}
            """
        let folder = try TemporaryFolder()
        let kept = try folder.write("mine", to: "kept")
        try FileManager.default.createDirectory(atPath: folder.file("elsewhere"), withIntermediateDirectories: true)
        let first = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        #expect(try first.get("/a").text == "1")
        first.end()
        let name = try #require(Self.files(folder.file("r")).keys.first)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("r/\(name).part"), withDestinationPath: kept)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("r/b"), withDestinationPath: folder.file("elsewhere"))
        let second = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        #expect(try second.get("/a").text == "1")
        #expect(try second.get("/b").text == "1")
        second.end()
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("elsewhere")).isEmpty)
        #expect(second.process.errors.contains("it is no folder"), "\(second.process.errors)")
    }

    /// What an archive says of itself leads nowhere either, and has no secrets in the end.
    @Test func anArchiveIsNotTrusted() throws {
        let folder = try TemporaryFolder()
        func entry(_ method: String, _ url: String, _ more: String = "", body: String = "1") -> String {
            """
            {"startedDateTime":"2026-01-31T12:00:00.000Z","time":1,"request":{"method":"\(method)","url":"\(url)",
            "headers":[{"name":"Authorization","value":"Bearer har-5up3rs3cret"},
            {"name":"Cookie","value":"a=cookie-5up3rs3cret"}]},
            "response":{"status":200,"headers":[{"name":"X-Said","value":"har-5up3rs3cret"},
            {"name":"Set-Cookie","value":"a=cookie-5up3rs3cret"}],"content":{"text":"\(body)"}}\(more)}
            """
        }
        let entries = [
            entry("GET", "http://a.example/a", #","_upstream":"../../b""#),
            entry("GET", "http://a.example/../../x"), entry("../../GET", "http://a.example/x"),
            entry("GET", "http://nobody.example/a?token=har-5up3rs3cret"),
            entry("GET", "http://a.example/b?token=query-5up3rs3cret", body: "har-5up3rs3cret query-5up3rs3cret"),
        ]
        let archive = try folder.write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "a.har")
        let page = try folder.write(
            "listen: 127.0.0.1:0\nupstreams: {a: {url: \"http://a.example\"}}\nbindings: {GET /a: {to: a /a}}\n",
            to: "sluice.yaml")
        let run = try Daemon.run("har", "import", archive, "--to", folder.file("in/r"), "--config", page)
        #expect(run.exitStatus == 0, "\(run.errors)")
        let files = try Self.files(folder.file("in"))
        #expect(files.count == 2 && files.keys.allSatisfy { $0.hasPrefix("r/a/") }, "\(files.keys)")
        let all = files.map { $0.key + $0.value }.joined() + run.errors
        #expect(!all.contains("5up3rs3cret"), "\(all)")
        #expect(run.errors.contains("no upstream of the page is there"), "\(run.errors)")
    }

    // MARK: - Where there is no answer

    @Test func whatHasNoEndIsTold() throws {
        let gate = Gate()
        let origin = try ScriptedOrigin(
            [],
            thereafter: [
                .head,
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("9\r\ndata: 1\n\n\r\n"), .wait(gate),
            ])
        defer { origin.end() }
        let page = "upstreams: {a: {url: \"\(origin.url)\"}}\nbindings: {GET /a: {to: a /a}}\n"
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        let client = try recorder.client()
        client.send("GET", "/a")
        #expect(try client.head().status == 200)
        client.connection.end()
        try Poll.until("it is told") { recorder.process.errors.contains("there was no whole answer") ? true : nil }
        #expect(recorder.end() == 0)
        gate.open()
        #expect(try Self.files(folder.file("r")).isEmpty)
    }

    /// Who names an example gets it, though the upstream is there.
    @Test func anExampleIsAnsweredWithTheUpstreamThere() throws {
        let origin = try ScriptedOrigin(answering: Self.ok("[9]"))
        defer { origin.end() }
        let page = """
            upstreams: {a: {url: "\(origin.url)"}}
            bindings: {GET /a: {to: a /a, value: "[Int]", fixtures: {usual: {value: [1]}, none: {value: []}}}}
            """
        let gateway = try Daemon(page, options: ["--fixtures", "missing"])
        defer { gateway.end() }
        #expect(try gateway.get("/a").text == "[9]")
        let chosen = try gateway.get("/a", fields: ["Prefer: example=none"])
        #expect(chosen.text == "[]" && chosen["Preference-Applied"] == "example=none")
    }
}
