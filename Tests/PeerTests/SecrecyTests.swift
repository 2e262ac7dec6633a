import Foundation
import Testing

/// What other programs of the same user, and core files, may see of the daemon's secrets.
@Suite struct SecrecyTests {
    private static let secret = "s3cret-of-the-environment"

    private static func configuration(_ origin: ScriptedOrigin, path: String) -> String {
        """
        cache: {shared: {url: "redis://127.0.0.1:1", password: {env: SLUICE_TEST_PASSWORD}}}
        upstreams:
          origin: {url: "\(origin.url)", bearer: {env: SLUICE_TEST_TOKEN}}
          again: {url: "\(origin.url)", bearer: {env: SLUICE_TEST_TOKEN}}
        bindings:
          GET \(path): {to: origin /}
          GET /again: {to: again /}
        """
    }

    /// Neither a token nor a password stands in `/proc/PID/environ` once it is read; a reload finds it all the same.
    @Test func theEnvironmentIsWiped() throws {
        let origin = try ScriptedOrigin(answering: BearerTests.ok)
        defer { origin.end() }
        let gateway = try Daemon(
            Self.configuration(origin, path: "/a"),
            environment: [
                "SLUICE_TEST_TOKEN": Self.secret, "SLUICE_TEST_PASSWORD": "other-\(Self.secret)",
                "SLUICE_TEST_OTHER": "untouched",
            ])
        defer { gateway.end() }
        #expect(try gateway.get("/a").status == 200)
        #expect(origin.allReceived.contains("Bearer \(Self.secret)\r\n"))
        let environment = FileManager.default.contents(atPath: "/proc/\(gateway.process.pid)/environ")
        // Only root may look at all (``othersOfItsUserMayNotLook()``).
        if geteuid() == 0 {
            let text = String(decoding: try #require(environment), as: UTF8.self)
            #expect(!text.contains(Self.secret))
            #expect(text.contains("SLUICE_TEST_TOKEN="))
            #expect(text.contains("SLUICE_TEST_OTHER=untouched"))
        } else {
            #expect(environment == nil)
        }
        try gateway.reload(
            Self.configuration(origin, path: "/b").replacingOccurrences(of: "  again:", with: "  new:")
                .replacingOccurrences(of: "{to: again", with: "{to: new"))
        try Poll.until("the new binding answers", holds: { try gateway.get("/b").status == 200 })
        #expect(try gateway.get("/again").status == 200)
        let heads = origin.allReceived.components(separatedBy: "GET ").dropFirst()
        #expect(heads.allSatisfy { $0.contains("Bearer \(Self.secret)\r\n") })
    }

    @Test func thereAreNoCores() throws {
        let origin = try ScriptedOrigin(answering: BearerTests.ok)
        defer { origin.end() }
        let gateway = try Daemon(LifecycleTests.configuration(origin))
        defer { gateway.end() }
        let limits = try String(contentsOfFile: "/proc/\(gateway.process.pid)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(line?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    }

    /// What a process has in `/proc` belongs to root where others of its user may not look into it (proc(5)). Only root
    /// can start one as somebody else, and everything of root's own belongs to root anyway.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func othersOfItsUserMayNotLook() throws {
        let folder = try TemporaryFolder()
        for path in [Guardian.shared.folder, folder.path] { chmod(path, 0o711) }
        let port = try LoopbackAddress.freePort()
        let page = try folder.write("listen: [127.0.0.1:\(port)]\n", to: "sluice.yaml")
        chmod(page, 0o644)
        let process = try ChildProcess([
            "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", Daemon.binary, "serve",
            "--config", page,
        ])
        defer { process.end() }
        try process.waitUntilServing(on: port)
        var status = stat()
        #expect(stat("/proc/\(process.pid)/task", &status) == 0)
        let real = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        #expect(real.contains("Uid:\t65534\t"))
        #expect(stat("/proc/\(process.pid)/environ", &status) == 0)
        #expect(status.st_uid == 0)
    }
}
