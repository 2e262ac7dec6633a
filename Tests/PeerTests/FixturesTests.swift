import Foundation
import Testing

/// A gateway whose upstreams are not there: by fixtures, and by what was recorded of them.
@Suite struct FixturesTests {
    /// What a client does, as curl does it.
    private static let walk: [[String]] = [
        ["/fruits?limit=3"], ["/fruits?limit=3"], ["/fruits?limit=2&colors=red&colors=green"], ["/fruits/7"],
        ["/fruits/999999"], ["/fruits/x"], ["-I", "/fruits/7"], ["/broken/type"], ["/broken/error"], ["/nowhere"],
        [
            "-H", "Content-Type: application/json", "-d",
            #"{"name":"fig","size":3,"color":"green","ripe":true}"#, "/fruits",
        ],
        ["-H", "Content-Type: application/json", "-d", #"{"name":"fig"}"#, "/fruits"],
        ["-X", "DELETE", "/fruits/7"], ["/raw/fruits/3?x=y"],
        [
            "-H", "Content-Type: application/json", "-d", #"{"email":"a@b.example","password":"hunter2"}"#, "/signin",
        ],
        ["--http2-prior-knowledge", "/fruits/8"],
    ]

    /// Status, fields and body of each answer, but for the time.
    private static func answers(_ gateway: Daemon, _ walk: [[String]] = walk) throws -> [String] {
        try walk.map { arguments in
            let url = "http://127.0.0.1:\(gateway.port)\(arguments.last ?? "")"
            let process = try ChildProcess(
                ["curl", "-s", "-i", "--max-time", "20"] + arguments.dropLast() + [url])
            let status = try process.waitForExit()
            let parts = process.output.components(separatedBy: "\r\n\r\n")
            let fields = (parts.first ?? "").components(separatedBy: "\r\n").filter { line in
                !["date:", "age:"].contains { line.lowercased().hasPrefix($0) }
            }
            // The order of fields says nothing (RFC 9110 §5.3).
            return
                ([fields.first ?? ""] + fields.dropFirst().map { $0.lowercased() }.sorted()
                + [parts.dropFirst().joined(separator: "\r\n\r\n"), "curl \(status)"]).joined(separator: "\n")
        }
    }

    @Test func whatWasRecordedIsReplayed() throws {
        let upstream = try DemoUpstream()
        let page = try upstream.configuration()
        let folder = try TemporaryFolder()
        let recordings = folder.file("recordings")
        let recorder = try Daemon(page, verb: "record", options: ["--to", recordings])
        let live = try Self.answers(recorder)
        #expect(recorder.end() == 0)
        upstream.end()
        let files = try #require(FileManager.default.enumerator(atPath: recordings)?.allObjects as? [String])
        #expect(files.contains { $0.hasPrefix("fruit/GET-v1-fruits-limit-3-") }, "\(files)")
        let kept = try files.filter { $0.hasSuffix(".yaml") }
            .map { try String(contentsOfFile: recordings + "/" + $0, encoding: .utf8) }.joined()
        #expect(!kept.contains("demo-token") && !kept.contains("hunter2"), "\(kept)")

        let replaying = try Daemon(page, options: ["--replay", recordings])
        defer { replaying.end() }
        let replayed = try Self.answers(replaying)
        for (before, after) in zip(live, replayed) { #expect(before == after) }
        let miss = try replaying.get("/fruits/12345")
        #expect(miss.status == 501)
        #expect(
            miss.text.contains("no-fixture") && miss.text.contains("the nearest is 'GET /v1/fruits/"), "\(miss.text)")
    }

    /// One recording twice has the same files, and what an archive keeps is the same.
    @Test func recordingsAreTheSameThroughAnArchive() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let page = try upstream.configuration()
        let folder = try TemporaryFolder()
        var names: [[String]] = []
        for name in ["one", "two"] {
            let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file(name)])
            _ = try Self.answers(recorder)
            recorder.end()
            names.append(try FileManager.default.contentsOfDirectory(atPath: folder.file(name) + "/fruit").sorted())
        }
        #expect(names[0] == names[1] && names[0].count > 8, "\(names)")
        let exported = try Daemon.run("har", "export", folder.file("one"))
        #expect(exported.exitStatus == 0)
        let archive = try folder.write(exported.output, to: "one.har")
        let log = try #require(
            (JSONSerialization.jsonObject(with: Data(exported.output.utf8)) as? [String: Any])?["log"]
                as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let config = try folder.write("listen: 127.0.0.1:0\n" + page, to: "page.yaml")
        let imported = try Daemon.run("har", "import", archive, "--to", folder.file("three"), "--config", config)
        #expect(imported.exitStatus == 0, "\(imported.errors)")
        let third = try FileManager.default.contentsOfDirectory(atPath: folder.file("three") + "/fruit").sorted()
        #expect(third == names[0])
        let replaying = try Daemon(page, options: ["--replay", folder.file("three")])
        defer { replaying.end() }
        #expect(try replaying.get("/fruits?limit=3").status == 200)
    }

    @Test func whatIsMissingMayBeAskedFor() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let page = try upstream.configuration()
        let folder = try TemporaryFolder()
        let recorder = try Daemon(page, verb: "record", options: ["--to", folder.file("r")])
        _ = try recorder.get("/fruits/7")
        recorder.end()
        let gateway = try Daemon(page, options: ["--replay", folder.file("r"), "--replay-missing", "live"])
        defer { gateway.end() }
        #expect(try gateway.get("/fruits/7").status == 200)
        #expect(try gateway.get("/fruits/8").text.contains("\"name\""))
        let made = try gateway.client().request(
            "POST", "/fruits", fields: ["Content-Type: application/json"],
            body: #"{"name":"fig","size":3,"color":"green"}"#)
        #expect(made.text.contains("\"fig\""), "\(made.text)")
    }

    /// The same client, once with an upstream and once with fixtures alone, notices nothing.
    @Test func fixturesAloneAnswerAsTheUpstreamDoes() throws {
        let upstream = try DemoUpstream()
        let page = try upstream.configuration()
        let live = try Daemon(page)
        let walk = [["/fruits?limit=3"], ["/fruits?limit=3"], ["/fruits/7"], ["/fruits/x"], ["/nowhere"]]
        let before = try Self.answers(live, walk)
        let list = try live.get("/fruits?limit=3").text
        let one = try live.get("/fruits/7").text
        live.end()
        upstream.end()
        let own =
            page
            .replacingOccurrences(
                of: "    value: [Fruit]\n    cache:",
                with: "    value: [Fruit]\n    fixture: {file: list.json}\n    cache:"
            )
            .replacingOccurrences(
                of: "    value: Fruit\n\n  DELETE", with: "    value: Fruit\n    fixture: {value: \(one)}\n\n  DELETE")
        #expect(own.components(separatedBy: "fixture:").count == 3)
        let gateway = try Daemon(own, files: ["list.json": list], options: ["--fixtures", "all"])
        defer { gateway.end() }
        let after = try Self.answers(gateway, walk)
        // The upstream names its program; no client reads that.
        for (before, after) in zip(before, after) {
            #expect(before.replacingOccurrences(of: "server: sluice-demo\n", with: "") == after)
        }
        // What has no fixture of its own is made.
        let made = try gateway.client().request(
            "POST", "/fruits", fields: ["Content-Type: application/json"],
            body: #"{"name":"fig","size":3,"color":"green"}"#)
        #expect(made.status == 200 && made.text.contains("\"name\""), "\(made.text)")
    }

    @Test func aFixtureStandsInForAnUpstreamThatIsGone() throws {
        let port = try LoopbackAddress.freePort()
        let page = """
            upstreams: {a: {url: "http://127.0.0.1:\(port)", bearer: {env: NOT_THERE}}}
            bindings:
              GET /a: {to: a /a, value: "[Int]", fixtures: {usual: {value: [1]}, none: {value: []}}}
              GET /b: {to: a /b, value: "[Int]"}
            """
        let gateway = try Daemon(page, options: ["--fixtures", "missing"])
        defer { gateway.end() }
        #expect(try gateway.get("/a").text == "[1]")
        let chosen = try gateway.get("/a", fields: ["Prefer: example=none"])
        #expect(chosen.text == "[]")
        #expect(try gateway.get("/b").status == 502)
    }

    @Test func whatIsNoRecordingIsTold() throws {
        let folder = try TemporaryFolder()
        try folder.write("upstream: a\nrequest: {method: GET}\nanswer: {status: 200}\n", to: "r/a/x.yaml")
        let page = try folder.write(
            "upstreams: {a: {url: \"http://127.0.0.1:1\"}}\nbindings: {GET /a: {to: a /a}}\n", to: "sluice.yaml")
        let serve = try Daemon.run("serve", page, "--replay", folder.file("r"))
        #expect(serve.exitStatus == 1)
        #expect(serve.errors.contains("x.yaml:2:10: key 'target' is missing"), "\(serve.errors)")
        let none = try Daemon.run("serve", page, "--replay", folder.file("nowhere"))
        #expect(none.exitStatus == 2, "\(none.errors)")
    }
}
