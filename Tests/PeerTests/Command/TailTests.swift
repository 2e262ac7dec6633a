import Foundation
import Testing

/// `sluice tail`: finished requests as they happen.
@Suite struct TailTests {
    private final class Place {
        let folder: TemporaryFolder
        let upstream: DemoUpstream
        let gateway: Daemon
        var socket: String { folder.file("admin.sock") }

        init() throws {
            folder = try TemporaryFolder()
            upstream = try DemoUpstream()
            gateway = try Daemon(
                "admin: \(folder.file("admin.sock"))\nloops: 3\n" + upstream.configuration())
        }

        func end() {
            gateway.end()
            upstream.end()
        }

        /// A `sluice tail` that is told of requests from now on.
        func tail(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
            let process = try ChildProcess(
                [Daemon.binary, "tail", "--socket", socket] + arguments, environment: environment)
            let probe = "/probe-\(process.pid)"
            // Its own requests are filtered out where it has a filter; then one more follower shows the way.
            if arguments.isEmpty || arguments == ["--json"] {
                try Poll.until("it follows") {
                    _ = try gateway.get(probe)
                    return process.output.contains(probe)
                }
            }
            return process
        }
    }

    @Test func aLineForEachRequestOfAllLoops() throws {
        let place = try Place()
        defer { place.end() }
        let tail = try place.tail()
        defer { tail.end() }
        for id in 1...9 { #expect(try place.gateway.get("/fruits/\(id % 3 + 1)?n=\(id)").status < 500) }
        #expect(try place.gateway.get("/fruits/99").status == 404)
        try Poll.until("it has told of all", holds: { tail.output.contains("GET /fruits/99") })
        for id in 1...9 { #expect(tail.output.contains("GET /fruits/\(id % 3 + 1)?n=\(id)"), "\(tail.output)") }
        let last = try #require(tail.output.split(separator: "\n").last { $0.contains("/fruits/99") })
        #expect(last.contains(" 404  GET /fruits/99  upstream-error"), "\(last)")
        #expect(last.prefix(12).wholeMatch(of: /\d\d:\d\d:\d\d\.\d\d\d/) != nil)
        #expect(!tail.output.contains("\u{1B}"))
    }

    @Test func linesOfJSONAndTheEndOfTheDaemon() throws {
        let place = try Place()
        defer { place.end() }
        let tail = try place.tail("--json")
        defer { tail.end() }
        #expect(try place.gateway.get("/fruits/1").status == 200)
        place.gateway.end()
        #expect(try tail.waitForExit() == 0)
        #expect(tail.errors.contains("the daemon has ended"))
        let objects = tail.output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
        let last = try #require(objects.last)
        #expect(last["target"] as? String == "/fruits/1" && last["upstream"] as? String == "fruit")
        #expect(last["attempts"] as? Int == 1 && last["protocol"] as? String == "HTTP/1.1")
    }

    /// Cut to the terminal, in colours, and without a byte that would command it.
    @Test func fitsATerminal() throws {
        let place = try Place()
        defer { place.end() }
        let tail = try place.tail(environment: ["COLUMNS": "80", "CLICOLOR_FORCE": "1", "NO_COLOR": ""])
        defer { tail.end() }
        let target = "/nowhere/" + String(repeating: "x", count: 200)
        #expect(try place.gateway.get(target).status == 404)
        try Poll.until("it has told of it", holds: { tail.output.contains("/nowhere/") })
        let line = try #require(tail.output.split(separator: "\n").last { $0.contains("/nowhere/") })
        let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain.count == 80 && plain.contains("…  unknown-route"), "\(plain)")
        #expect(line.contains("\u{1B}[1;33m404"))
    }

    @Test func narrowsWhatIsShown() throws {
        let place = try Place()
        defer { place.end() }
        let all = try place.tail()
        defer { all.end() }
        let some = try place.tail("GET /fruits/", "--problem")
        defer { some.end() }
        // Until it follows, too.
        try Poll.until("it follows") {
            _ = try place.gateway.get("/fruits/99")
            return some.output.contains("/fruits/99")
        }
        #expect(try place.gateway.get("/fruits/1").status == 200)
        #expect(try place.gateway.get("/nowhere").status == 404)
        #expect(try place.gateway.get("/fruits/98").status == 404)
        try Poll.until("it has told of the last", holds: { some.output.contains("/fruits/98") })
        #expect(!some.output.contains("/fruits/1\n") && !some.output.contains("/nowhere"))
    }

    @Test(arguments: [
        (["--slow", "2 seconds"], "did you mean 2s?"), (["--status", "9xx"], "no class such as 5xx"),
        (["--status", "6xx"], "'6xx' is no status such as 404"), (["--status", "99"], "'99' is no status"),
    ])
    func refuses(_ arguments: [String], _ text: String) throws {
        let place = try Place()
        defer { place.end() }
        let process = try ChildProcess([Daemon.binary, "tail", "--socket", place.socket] + arguments)
        #expect(try process.waitForExit() == 64)
        #expect(process.errors.contains(text), "\(process.errors)")
        #expect(process.errors.contains("Usage: sluice tail "), "\(process.errors)")
    }

    @Test func withoutADaemon() throws {
        let folder = try TemporaryFolder()
        let process = try Daemon.run("tail", "--socket", folder.file("none.sock"))
        #expect(process.exitStatus == 1 && process.errors.contains("is the daemon running"), "\(process.errors)")
    }
}
