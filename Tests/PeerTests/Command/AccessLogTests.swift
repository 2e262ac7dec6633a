import Foundation
import Testing

/// `log: {access: FILE}`.
@Suite struct AccessLogTests {
    private static func lines(_ folder: TemporaryFolder, _ name: String) -> [[String: Any]] {
        folder.read(name).split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    @Test func tellsEveryExchange() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let log = "log: {access: \(folder.file("access"))}\n"
        let gateway = try Daemon(log + upstream.configuration())
        defer { gateway.end() }
        let client = try gateway.client()
        #expect(try client.get("/fruits?limit=1").status == 200)
        #expect(try client.get("/nowhere").status == 404)
        #expect(try client.get("/fruits/99").status == 404)
        gateway.end()
        let lines = Self.lines(folder, "access")
        #expect(lines.map { $0["target"] as? String } == ["/fruits?limit=1", "/nowhere", "/fruits/99"])
        #expect(lines.map { $0["status"] as? Int } == [200, 404, 404])
        #expect(lines.map { $0["binding"] as? String } == ["GET /fruits", nil, "GET /fruits/{id}"])
        #expect(lines.map { $0["problem"] as? String } == [nil, "unknown-route", "upstream-error"])
        #expect(lines.allSatisfy { $0["client"] as? String == "127.0.0.1" && $0["method"] as? String == "GET" })
        #expect(lines.allSatisfy { $0["duration_us"] is Int && ($0["time"] as? String)?.hasSuffix("Z") == true })
        #expect(lines[0]["bytes"] as? Int ?? 0 > 50)
        #expect(lines.map { $0["upstream"] as? String } == ["fruit", nil, "fruit"])
        #expect(lines.map { $0["attempts"] as? Int } == [1, nil, 1])
        #expect(lines.allSatisfy { $0["protocol"] as? String == "HTTP/1.1" && $0["bytes_in"] as? Int == 0 })
        #expect(!folder.read("access").contains("demo-token"))
    }

    /// What logrotate relies on, whether the configuration has a mistake by now or not.
    @Test(arguments: ["", "\nbindigns: {}\n"])
    func isReopenedOnReload(mistake: String) throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let configuration = try "log: {access: \(folder.file("access"))}\n" + upstream.configuration()
        let gateway = try Daemon(configuration)
        defer { gateway.end() }
        #expect(try gateway.get("/fruits/1").status == 200)
        rename(folder.file("access"), folder.file("old"))
        try gateway.reload(configuration + mistake)
        try Poll.until("there is a new file", holds: { FileManager.default.fileExists(atPath: folder.file("access")) })
        #expect(try gateway.get("/fruits/2").status == 200)
        gateway.end()
        // A line that waited for its batch stands in the new file.
        let targets = ["old", "access"].flatMap { Self.lines(folder, $0) }.compactMap { $0["target"] as? String }
        #expect(targets.sorted() == ["/fruits/1", "/fruits/2"])
    }

    /// A request is explained without its credentials being written down.
    @Test func explainedRequestsLeaveNoSecrets() throws {
        let folder = try TemporaryFolder()
        let page = "admin: \(folder.file("admin.sock"))\nlog: {access: \(folder.file("access")), query: full}\n"
        let binding = "{to: fruit /fruits, params: {code: String?}}"
        let gateway = try Daemon(
            page + HealthTests.configuration.replacingOccurrences(of: "{to: fruit /fruits}", with: binding))
        defer { gateway.end() }
        let command = try Daemon.run(
            "cache", "explain", "/fruits?code=hush-1", "-H", "Authorization: Bearer hush-2", "-H", "X-Api-Key: hush-3",
            "--socket", folder.file("admin.sock"))
        #expect(command.output.contains("request   GET /fruits?code=***"), "\(command.errors)")
        gateway.end()
        let lines = Self.lines(folder, "access").compactMap { $0["target"] as? String }
        #expect(lines == ["/cache/explain"])
        #expect(!folder.read("access").contains("hush"))
    }

    /// One line for one request, as programs that read Apache's logs want it; whatever the client sends.
    @Test func aCombinedLog() throws {
        let folder = try TemporaryFolder()
        let log = "log: {access: \(folder.file("access")), access-format: combined}\n"
        let gateway = try Daemon(log + HealthTests.configuration)
        defer { gateway.end() }
        let fields = ["User-Agent: a\"b\\c\td", "Referer: http://\u{E9}.example/"]
        #expect(try gateway.get("/nowhere?token=hush", fields: fields).status == 404)
        gateway.end()
        let lines = folder.read("access").split(separator: "\n")
        let form = #/127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] (.*)/#
        let rest = try #require(lines.first?.wholeMatch(of: form)?.1)
        #expect(lines.count == 1)
        #expect(rest.hasPrefix(#""GET /nowhere?token=*** HTTP/1.1" 404 "#))
        #expect(rest.hasSuffix(#" "http://\xc3\xa9.example/" "a\"b\\c\td""#), "\(rest)")
    }

    /// The journal's fields, at a socket that stands for journald's.
    @Test func theJournal() throws {
        let folder = try TemporaryFolder()
        let journal = try NotifySocket(in: folder)
        let gateway = try Daemon("log: {access: \"journal:\(journal.path)\"}\n" + HealthTests.configuration)
        defer { gateway.end() }
        #expect(try gateway.get("/nowhere").status == 404)
        gateway.end()
        let fields = journal.assignments
        for field in [
            "MESSAGE=GET /nowhere 404 unknown-route", "PRIORITY=5", "SYSLOG_IDENTIFIER=sluice",
            "SLUICE_CLIENT=127.0.0.1", "SLUICE_STATUS=404", "SLUICE_PROBLEM=unknown-route",
        ] { #expect(fields.contains(field), "\(fields)") }
    }

    /// Where there is no journal, the daemon says so in place of losing every line.
    @Test func withoutAJournal() throws {
        let folder = try TemporaryFolder()
        let page = "listen: 127.0.0.1:0\nlog: {access: \"journal:\(folder.file("none"))\"}\n"
        let path = try folder.write(page + HealthTests.configuration, to: "sluice.yaml")
        let process = try Daemon.run("serve", path)
        #expect(process.exitStatus != 0 && process.errors.contains(folder.file("none")), "\(process.errors)")
    }
}
