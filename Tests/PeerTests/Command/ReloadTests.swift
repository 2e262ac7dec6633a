import Foundation
import Testing

/// `sluice reload`, and what it says of a page that is refused.
@Suite struct ReloadTests {
    private final class Place {
        let folder: TemporaryFolder
        let gateway: Daemon
        let socket: String
        /// What the daemon reads.
        var file: String { gateway.file }

        init(admin: Bool = true, environment: [String: String] = [:]) throws {
            folder = try TemporaryFolder()
            socket = folder.file("admin.sock")
            gateway = try Daemon(
                (admin ? "admin: \(socket)\n" : "") + HealthTests.configuration, environment: environment)
        }

        func run(_ arguments: String...) throws -> ChildProcess {
            let process = try ChildProcess([Daemon.binary, "reload"] + arguments)
            _ = try process.waitForExit()
            return process
        }

        /// What the daemon will read.
        func write(_ rest: String) throws { try gateway.write("admin: \(socket)\n" + rest) }
    }

    @Test func tellsWhatIsServedNow() throws {
        let place = try Place()
        defer { place.gateway.end() }
        try place.write(HealthTests.configuration + "\n  GET /trees: {to: fruit /trees}")
        let command = try place.run(place.file)
        #expect(command.exitStatus == 0, "\(command.errors)")
        #expect(command.output == "reloaded \(place.file): 2 bindings on 127.0.0.1:\(place.gateway.port)\n")
        #expect(try place.gateway.get("/trees").status == 502)
    }

    /// What the process runs with counts, and not what the last reload has read.
    @Test func aRestartIsNeededUntilThereIsOne() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let words = "a restart is needed for loops, log: level"
        for _ in 1...2 {
            try place.write("loops: 7\nlog: {level: debug}\n" + HealthTests.configuration)
            #expect(try place.run("--config", place.file).output.contains(words))
        }
        try place.write(HealthTests.configuration)
        #expect(try !place.run("--config", place.file).output.contains("restart"))
    }

    /// Another page may name the same socket; its daemon reads what it reads.
    @Test func aPageThatTheDaemonDoesNotReadIsRefused() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let other = try place.folder.write("admin: \(place.socket)\n", to: "other.yaml")
        try place.write(HealthTests.configuration + "\n  GET /trees: {to: fruit /trees}")
        let pid = "\(place.gateway.process.pid)"
        for arguments in [[other], ["-c", other, "--json"], [other, "--or-signal", pid]] {
            let process = try ChildProcess([Daemon.binary, "reload"] + arguments)
            #expect(try process.waitForExit() == 1)
            let words = "the daemon reads \(place.file), not \(other); name that one, or use --socket"
            #expect(process.errors == "sluice: \(words)\n" && process.output.isEmpty)
        }
        #expect(try place.gateway.get("/trees").status == 404, "nothing was reloaded")
        #expect(symlink(place.file, place.folder.file("link.yaml")) == 0)
        #expect(try place.run(place.folder.file("link.yaml")).exitStatus == 0)
        #expect(try place.run(other, "--socket", place.socket).exitStatus == 0)
        #expect(try place.gateway.get("/trees").status == 502)
    }

    @Test func aPageWithMistakesIsRefused() throws {
        let folder = try TemporaryFolder()
        let notify = try NotifySocket(in: folder)
        let place = try Place(environment: ["NOTIFY_SOCKET": notify.path])
        defer { place.gateway.end() }
        try place.write(HealthTests.configuration.replacingOccurrences(of: "to: fruit", with: "to: friut"))
        let command = try place.run("--socket", place.socket)
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains(":6:21: unknown upstream 'friut'"), "\(command.errors)")
        #expect(command.errors.contains("did you mean 'fruit'?"))
        #expect(command.errors.hasSuffix("sluice.yaml has 1 mistake\n"), "\(command.errors)")
        #expect(try place.gateway.get("/fruits").status == 502, "the old one stays in force")
        let status = try #require(notify.assignments.last { $0.hasPrefix("STATUS=") })
        #expect(status.contains("Reload refused") && status.contains("1 mistake. Serving 1 binding"), "\(status)")
        let json = try place.run("--json", "--socket", place.socket)
        let verdict = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(verdict?["accepted"] as? Bool == false)
        let finding = try #require((verdict?["findings"] as? [[String: Any]])?.first)
        #expect(finding["severity"] as? String == "error" && finding["line"] as? Int == 6)
    }

    /// The daemon is found by a page that it would refuse.
    @Test func aPageWithMistakesTellsWhereTheDaemonIs() throws {
        let place = try Place()
        defer { place.gateway.end() }
        try place.write("bindngs: {}\n")
        let reload = try place.run(place.file)
        #expect(reload.exitStatus == 1 && reload.errors.contains("stays in force"), "\(reload.errors)")
        #expect(try Daemon.run("cache", "stats", "--config", place.file).exitStatus == 0)
    }

    /// The page leads to where the socket will be.
    @Test func aSocketThatMovesIsReachedByItsOldPath() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let moved = place.folder.file("moved.sock")
        try place.gateway.write("admin: \(moved)\n" + HealthTests.configuration)
        let lost = try place.run(place.file)
        #expect(lost.exitStatus == 1 && lost.errors.contains("--socket takes the old one"), "\(lost.errors)")
        let wrong = try place.run(place.file, "--socket", moved)
        #expect(wrong.exitStatus == 1 && !wrong.errors.contains("the old one"), "\(wrong.errors)")
        #expect(try place.run("--socket", place.socket).exitStatus == 0)
        #expect(try place.run(place.file).exitStatus == 0)
    }

    /// As the unit has it: without an admin socket the page is checked here, and the daemon is signalled.
    @Test func orSignals() throws {
        let place = try Place(admin: false)
        defer { place.gateway.end() }
        let pid = "\(place.gateway.process.pid)"
        let page = try place.folder.write("admin: \(place.socket)\n", to: "sluice.yaml")
        #expect(try place.run(page).errors.contains("is the daemon running, with 'admin:'"))
        try place.gateway.write(HealthTests.configuration + "\n  GET /trees: {to: fruit /trees}")
        #expect(try place.run(place.gateway.file, "--or-signal", pid).output.hasPrefix("SIGHUP sent to process \(pid)"))
        try Poll.until("it is reloaded", holds: { try place.gateway.get("/trees").status == 502 })
        try place.gateway.write("bindngs: {}")
        let command = try place.run(place.gateway.file, "--or-signal", pid)
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains("did you mean 'bindings'?"))
        #expect(!place.gateway.process.errors.contains("bindngs"), "nobody has asked the daemon")
        for group in ["0", "-1"] { #expect(try place.run(place.gateway.file, "--or-signal=\(group)").exitStatus == 64) }
        // The page has an admin socket by now, and the daemon does not know yet.
        try place.gateway.write("admin: \(place.socket)\n" + HealthTests.configuration)
        #expect(try place.run(place.gateway.file, "--or-signal", pid).exitStatus == 0)
        try Poll.until("the socket is there", holds: { try place.run(place.gateway.file).exitStatus == 0 })
    }
}
