import Foundation
import Testing

/// What stands in deploy/ and packaging/: pages without mistakes, commands that the binary knows.
@Suite struct DeployTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The page that a ConfigMap holds: the lines below `sluice.yaml: |`, less their margin.
    private static func page(of manifest: String) -> String {
        let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
        let block = lines.drop { !$0.hasSuffix("sluice.yaml: |") }.dropFirst().prefix {
            $0.isEmpty || $0.hasPrefix("    ")
        }
        return block.map { $0.dropFirst(4) }.joined(separator: "\n") + "\n"
    }

    @Test(arguments: [
        "deploy/kubernetes/sidecar.yaml", "deploy/kubernetes/daemonset.yaml", "deploy/compose/page/sluice.yaml",
        "packaging/image/sluice.yaml",
    ])
    func pagesHaveNoMistakes(_ path: String) throws {
        let text = try Self.read(path)
        let folder = try TemporaryFolder()
        let file = try folder.write(text.contains("kind: ConfigMap") ? Self.page(of: text) : text, to: "sluice.yaml")
        #expect(folder.read("sluice.yaml").contains("bindings:"))
        let check = try Daemon.run("check", "--skip-ports", file)
        #expect(check.exitStatus == 0, "\(check.errors)")
    }

    /// The page of the package, as scripts/package changes it, is one; what it changes is there to be changed.
    @Test func thePackageChangesWhatIsThere() throws {
        let page = try Self.read("config/sluice.yaml")
        for line in ["schema=sluice.schema.json", "\n# admin: /run", "\nlisten: 127", "docs/CONFIGURATION.md"] {
            #expect(page.contains(line), "scripts/package looks for \(line)")
        }
        #expect(try Self.read("systemd/sluice.service").contains("=/usr/local/bin/sluice "))
    }

    /// Options of `sluice health` in health checks and probes are those that it has.
    @Test(arguments: [
        "Dockerfile", "deploy/compose/socket.yaml", "deploy/compose/network.yaml", "deploy/kubernetes/sidecar.yaml",
        "deploy/kubernetes/daemonset.yaml",
    ])
    func healthChecksAreKnown(_ path: String) throws {
        let lines = try Self.read(path).split(separator: "\n").filter { $0.contains("/usr/bin/sluice") }
        let checks = lines.filter { $0.contains("health") }
        #expect(!checks.isEmpty)
        let help = try Daemon.run("health", "--help").output
        for check in checks {
            for word in check.split(whereSeparator: { "\", []{}".contains($0) }) where word.hasPrefix("--") {
                #expect(help.contains(word), "\(word) in \(path)")
            }
        }
    }

    /// Units of deploy/ run commands that the binary knows.
    @Test func theUsersUnitIsLikeTheSystems() throws {
        let own = try Self.read("deploy/systemd/user/sluice.service").split(separator: "\n").filter {
            $0.hasPrefix("Exec")
        }
        let systems = try Self.read("systemd/sluice.service").split(separator: "\n").filter { $0.hasPrefix("Exec") }
        let asSystems = own.map { $0.replacingOccurrences(of: "%E/", with: "/etc/") }
        #expect(asSystems == systems.map(String.init) && own.count == 2)
    }
}
