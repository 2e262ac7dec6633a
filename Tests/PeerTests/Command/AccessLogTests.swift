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
        #expect(!folder.read("access").contains("demo-token"))
    }

    /// What logrotate relies on.
    @Test func isReopenedOnReload() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let configuration = try "log: {access: \(folder.file("access"))}\n" + upstream.configuration()
        let gateway = try Daemon(configuration)
        defer { gateway.end() }
        #expect(try gateway.get("/fruits/1").status == 200)
        rename(folder.file("access"), folder.file("old"))
        try gateway.reload(configuration)
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
}
