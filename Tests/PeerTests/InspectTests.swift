import Foundation
import Testing

/// `inspect:`: exchanges as the admin socket shows them.
@Suite struct InspectTests {
    private static func object(_ socket: String, _ target: String) throws -> [String: Any] {
        let process = try ChildProcess(["curl", "-s", "--unix-socket", socket, "http://localhost\(target)"])
        #expect(try process.waitForExit() == 0)
        return try #require(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) as? [String: Any])
    }

    @Test func bothSidesOfAnExchangeOfAnyLoop() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let socket = folder.file("admin.sock")
        let gateway = try Daemon(
            "admin: \(socket)\nloops: 3\ninspect: {last: 5, bodies: 1KiB}\n" + upstream.configuration())
        defer { gateway.end() }
        let before = Date().timeIntervalSince1970
        for id in 1...7 { #expect(try gateway.get("/fruits/\(id)").status == 200) }
        let list = try Self.object(socket, "/exchanges")
        let exchanges = try #require(list["exchanges"] as? [[String: Any]])
        #expect(exchanges.compactMap { $0["target"] as? String } == (3...7).reversed().map { "/fruits/\($0)" })
        #expect(list["last"] as? Int == 5)
        let id = try #require(exchanges.first?["id"] as? String)
        let shown = try Self.object(socket, "/exchanges/\(id)")
        let attempt = try #require((shown["upstream"] as? [[String: Any]])?.first)
        let request = try #require(attempt["request"] as? [String: Any])
        let answer = try #require(shown["answer"] as? [String: Any])
        #expect(request["line"] as? String == "GET /v1/fruits/7 HTTP/1.1")
        #expect(request["fields"] as? [[String]] ?? [] != [])
        #expect((request["fields"] as? [[String]])?.contains(["Authorization", "•••"]) == true, "\(request)")
        #expect((answer["body"] as? String)?.contains(#""name""#) == true, "\(answer)")
        #expect(attempt["endpoint"] as? String == "http://127.0.0.1:\(upstream.port)")
        let begun = try #require(shown["at"] as? Double)
        #expect((before - 1...Date().timeIntervalSince1970 + 1).contains(begun))
        #expect(!"\(shown)".contains("demo-token"))
    }

    @Test func theCheckTellsOfTheMemory() throws {
        let folder = try TemporaryFolder()
        let page = try folder.write("inspect: {last: 100}\n" + HealthTests.configuration, to: "sluice.yaml")
        let check = try Daemon.run("check", page)
        #expect(check.output.contains("'inspect:' keeps up to 25MiB"), "\(check.output)")
    }
}
