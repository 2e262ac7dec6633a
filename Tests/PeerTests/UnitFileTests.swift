import Foundation
import Testing

/// The units that ship.
@Suite struct UnitFileTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let analyzer = "/usr/bin/systemd-analyze"

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer), "there is no systemd-analyze"))
    func systemdUnderstandsThem() throws {
        let folder = try TemporaryFolder()
        for name in ["sluice.service", "sluice.socket"] {
            let text = try Self.read("systemd/" + name)
                .replacingOccurrences(of: "/usr/local/bin/sluice", with: Daemon.binary)
            try folder.write(text, to: name)
        }
        let process = try ChildProcess(
            [Self.analyzer, "verify", folder.file("sluice.service"), folder.file("sluice.socket")])
        #expect(try process.waitForExit() == 0, "\(process.errors)")
        let complaints = process.errors.split(separator: "\n").filter { $0.contains("sluice.s") }
        #expect(complaints.isEmpty, "\(complaints)")
    }

    /// What the documentation puts somewhere is a folder that the unit makes.
    @Test func foldersOfTheDocumentationAreThere() throws {
        let unit = try Self.read("systemd/sluice.service")
        for (path, line) in [
            ("/var/log/sluice", "LogsDirectory=sluice"), ("/run/sluice", "RuntimeDirectory=sluice"),
            ("/var/cache/sluice", "CacheDirectory=sluice"),
        ] {
            #expect(unit.split(separator: "\n").contains { $0 == line })
            #expect(try Self.read("docs/CONFIGURATION.md").contains(path + "/") || unit.contains(path))
        }
    }

    /// A command that the unit runs is one that the binary knows.
    @Test func theUnitsCommandsAreKnown() throws {
        for line in try Self.read("systemd/sluice.service").split(separator: "\n") where line.hasPrefix("Exec") {
            let words = line.split(separator: "=", maxSplits: 1)[1].split(separator: " ").map(String.init)
            #expect(words[0] == "/usr/local/bin/sluice")
            let help = try Daemon.run(words[1], "--help").output
            for word in words where word.hasPrefix("--") { #expect(help.contains(word), "\(word) in \(line)") }
        }
    }
}
