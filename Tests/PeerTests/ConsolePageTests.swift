import Foundation
import Testing

/// The console's page in Debian's Chromium, without a window: Fixtures/console/drive.py does each of its jobs, and
/// finds errors, violations of the policy, what has no name, poor contrast and what does not fit.
@Suite(.needsPeers) struct ConsolePageTests {
    /// The driver has its own limits for each thing that it waits for; this is for all of them, in Poll's patience.
    private static let patiences = 60

    private static var driver: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/console/drive.py").path
    }

    @Test func everyJobIsDone() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let gateway = try Daemon(
            "admin: \(folder.file("admin.sock"))\ninspect: {last: 50}\n" + upstream.configuration())
        defer { gateway.end() }
        let console = try ConsolePeer(gateway.file)
        defer { console.end() }
        let driver = try ChildProcess(
            [
                try Peers.webSockets(), "-u", Self.driver, console.url, "--browser", try Peers.chromium(),
                "--binding", "GET /fruits", "--set", "limit=3", "--drift", "GET /broken/{kind}", "--drift-set",
                "kind=type", "--edit", gateway.file, "fresh: 60s", "fresh: 61s", "--inspector", "on",
            ], environment: ["HOME": folder.path])
        for _ in 0..<Self.patiences where (try? driver.waitForExit()) != nil { break }
        let faults = driver.output.split(separator: "\n").filter { !$0.hasPrefix("ok ") }
        #expect(driver.exitStatus == 0, "\(faults.joined(separator: "\n"))\n\(driver.errors)")
        #expect(driver.output.hasSuffix("all is well\n"))
    }
}
