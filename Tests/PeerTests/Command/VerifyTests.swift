import Foundation
import Testing

/// `sluice verify`, `sluice drift` and `sluice state`, as cron and people meet them.
@Suite struct VerifyTests {
    private static let documents = [
        "/fruits": #"[{"name":"fig","size":3}]"#, "/fruits/7": #"{"name":"fig","size":"big"}"#,
        "/fruits?color=red": "[]", "/loose": #"{"size":"big"}"#, "/new": #"{"size":1,"kind":"x"}"#,
    ]

    private static func page(_ origin: DocumentOrigin, _ more: String = "") -> String {
        """
        \(more)
        upstreams:
          fruit: {url: "\(origin.url)"}
        types:
          Fruit: {name: String, size: Int}
        bindings:
          GET /fruits:
            to: fruit /fruits
            params: {color: "(red | green | blue)?"}
            value: "[Fruit]"
            cache: {fresh: 1h}
          GET /fruits/{id}:
            to: fruit /fruits/{id}
            params: {id: {type: Int, example: 7}}
            value: Fruit
            default: {name: none, size: 0}
            cache: {fresh: 1h}
          GET /trees/{id}: {to: "fruit /trees/{id}", params: {id: Int}, value: Fruit}
          GET /loose: {to: fruit /loose, value: {size: Int}, on-drift: pass}
          GET /new: {to: fruit /new, value: {size: Int}, drift: true}
          GET /gone: {to: fruit /gone, value: Int}
          DELETE /fruits/{id}: {to: "fruit /fruits/{id}", params: {id: Int}}
          ANY /raw/**: {to: "fruit /**"}
        """
    }

    private static func verify(_ arguments: String...) throws -> ChildProcess {
        let process = try ChildProcess([Daemon.binary, "verify"] + arguments)
        _ = try process.waitForExit()
        return process
    }

    private struct Result: Decodable {
        var binding: String
        var outcome: String
        var detail: String?
        var faults: [Fault]?

        struct Fault: Decodable {
            var name: String
            var found: String
        }
    }

    private struct Document: Decodable {
        var results: [Result]
        var ok: Int
        var failed: Int
        var skipped: Int
    }

    /// With a daemon and without one, the same is found; a default hides no fault, and neither does the cache.
    @Test(arguments: [true, false]) func tellsHowEachBindingIs(isDirect: Bool) throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let gateway = try Daemon(Self.page(origin))
        defer { gateway.end() }
        #expect(try String(decoding: gateway.get("/fruits/7").body, as: UTF8.self) == #"{"name":"none","size":0}"#)
        let arguments = ["verify", "--json", "--config", gateway.file] + (isDirect ? ["--direct"] : [])
        let process = try ChildProcess([Daemon.binary] + arguments)
        #expect(try process.waitForExit() == 1, "\(process.errors)")
        let document = try JSONDecoder().decode(Document.self, from: Data(process.output.utf8))
        let outcomes = Dictionary(uniqueKeysWithValues: document.results.map { ($0.binding, $0.outcome) })
        #expect(
            outcomes == [
                "GET /fruits": "ok", "GET /fruits/{id}": "drifted", "GET /trees/{id}": "skipped",
                "GET /loose": "drifted", "GET /new": "ok", "GET /gone": "problem", "DELETE /fruits/{id}": "skipped",
                "ANY /raw/**": "skipped",
            ])
        #expect(document.ok == 2 && document.failed == 3 && document.skipped == 3)
        let drifted = document.results.filter { $0.outcome == "drifted" }
        #expect(drifted.map { $0.faults?.first?.name } == ["$.size", "$.size"])
        #expect(drifted.first?.faults?.first?.found == #"string "big""#)
        let skipped = document.results.first { $0.binding == "GET /trees/{id}" }
        #expect(skipped?.detail?.contains("'id' has no example") == true)
    }

    @Test func oneOfThemIsForPeople() throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let gateway = try Daemon(Self.page(origin))
        defer { gateway.end() }
        let good = try Self.verify("GET /fruits", "GET /new", "--config", gateway.file)
        #expect(good.exitStatus == 0, "\(good.errors)")
        #expect(
            good.output.contains("ok       GET /fruits  200 (")
                && good.output.hasSuffix("2 well, 0 failed, 0 skipped\n"))
        let bad = try Self.verify("GET /fruits/{id}", "--config", gateway.file)
        #expect(bad.exitStatus == 1)
        #expect(bad.output.contains(#"$.size: expected Int, found string "big""#), "\(bad.output)")
        let skipped = try Self.verify("GET /trees/{id}", "--config", gateway.file)
        #expect(skipped.exitStatus == 0)
        #expect(try Self.verify("GET /trees/{id}", "--no-skips", "--config", gateway.file).exitStatus == 1)
        let unknown = try Self.verify("GET /fruit", "--config", gateway.file)
        #expect(unknown.exitStatus == 1 && unknown.errors.contains("did you mean 'GET /fruits'?"))
        gateway.end()
        let lonely = try Self.verify("GET /fruits", "--config", gateway.file)
        #expect(lonely.exitStatus == 1 && lonely.output.contains("NOTHING"))
    }

    /// Found, told, kept over a restart, and forgotten.
    @Test func driftOutlivesTheDaemon() throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let page = Self.page(origin, "admin: \(folder.file("admin.sock"))\nstate: \(folder.file("state"))")
        let first = try Daemon(page)
        for target in ["/fruits/7", "/fruits/7", "/loose", "/new", "/fruits"] { _ = try first.get(target) }
        func drift(_ arguments: String..., exits status: Int32) throws -> String {
            let process = try ChildProcess([Daemon.binary, "drift", "--socket", folder.file("admin.sock")] + arguments)
            #expect(try process.waitForExit() == status, "\(process.errors)")
            return process.output
        }
        let before = try drift(exits: 1)
        for words in [
            "GET /fruits/{id}\n", #"$.size  declared Int, found string such as "aaa""#, "2 values since ",
            "100 % of the answers since then", "write  Int | String", "add  kind: JSON?",
        ] {
            #expect(before.contains(words), "\(words) in \(before)")
        }
        #expect(!before.contains("big"))
        #expect(first.end() == 0)
        #expect(first.process.errors.contains("an upstream's answers are not of their type"))
        let file = folder.file("state") + "/drift.json"
        let kept = try String(contentsOfFile: file, encoding: .utf8)
        #expect(kept.contains("GET /fruits/{id}") && !kept.contains("big"))

        let second = try Daemon(page)
        defer { second.end() }
        #expect(try drift(exits: 1) == before)
        #expect(try drift("GET /loose", exits: 1).contains("GET /loose"))
        #expect(try drift("--forget", "GET /loose", exits: 0) == "1 finding forgotten\n")
        #expect(try drift("GET /loose", exits: 0) == "nothing has drifted\n")
        #expect(try drift("--forget-all", exits: 0).hasSuffix("findings forgotten\n"))
        #expect(try drift("--json", exits: 0) == "{\"findings\":[],\"more\":0}\n")
    }

    /// A file that cannot be read is no reason not to serve.
    @Test func aDamagedFileIsTold() throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let path = try folder.write("no JSON", to: "drift.json")
        let state = String(path.dropLast("/drift.json".count))
        let gateway = try Daemon(Self.page(origin, "state: \(state)"))
        defer { gateway.end() }
        #expect(try gateway.get("/fruits").status == 200)
        #expect(gateway.process.errors.contains("what was known of drift is lost"))
    }

    @Test func statesAreShown() throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let gateway = try Daemon(Self.page(origin, "admin: \(folder.file("admin.sock"))"))
        defer { gateway.end() }
        func state(_ arguments: String...) throws -> String {
            let process = try ChildProcess([Daemon.binary, "state", "--socket", folder.file("admin.sock")] + arguments)
            #expect(try process.waitForExit() == 0, "\(process.errors)")
            return process.output
        }
        #expect(try state() == "nothing is stored\n")
        _ = try gateway.get("/fruits")
        _ = try gateway.get("/fruits/7")
        let table = try state()
        for words in ["STATE", "fresh", "/fruits", "failed", "/fruits/7", "type-mismatch (502), "] {
            #expect(table.contains(words), "\(words) in \(table)")
        }
        let one = try state("--binding", "GET /fruits", "--json")
        #expect(one.contains(#""data":"fresh""#) && !one.contains("/fruits/7"), "\(one)")
    }
}
