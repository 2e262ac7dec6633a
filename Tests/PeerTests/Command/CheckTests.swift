import Foundation
import Testing

/// `sluice check`, where it looks beyond the file.
@Suite struct CheckTests {
    private static func file(_ folder: TemporaryFolder, port: UInt16) throws -> String {
        try folder.write(
            """
            listen:
              - 127.0.0.1:0
              - 127.0.0.1:\(port)
            upstreams:
              fruit: {url: "http://127.0.0.1:9"}
            bindings:
              GET /fruits: {to: fruit /fruits}
            """, to: "sluice.yaml")
    }

    @Test func aPortInUseIsAMistakeWithItsPlace() throws {
        let folder = try TemporaryFolder()
        let listener = try Listener()
        let path = try Self.file(folder, port: listener.port)
        let command = try Daemon.run("check", path)
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains("sluice.yaml:3:5: 127.0.0.1:\(listener.port) is in use"), "\(command.errors)")
        #expect(command.errors.contains("\n      - 127.0.0.1:\(listener.port)\n        ^"), "\(command.errors)")
        #expect(try Daemon.run("check", "--skip-ports", path).exitStatus == 0)
    }

    /// A page is checked before the daemon that reads it is told to reload.
    @Test func aPortOfARunningSluiceIsAWarning() throws {
        let folder = try TemporaryFolder()
        let daemon = try Daemon(CommandTests.good)
        defer { daemon.end() }
        let path = try Self.file(folder, port: daemon.port)
        let command = try Daemon.run("check", path)
        #expect(command.exitStatus == 0)
        let expected = "sluice.yaml:3:5: 127.0.0.1:\(daemon.port) is in use by a Sluice that runs already"
        #expect(command.errors.contains("warning: ") && command.errors.contains(expected), "\(command.errors)")
    }

    @Test func successSaysHowMuchThereIs() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(folder, port: 0)
        let command = try Daemon.run("check", path)
        #expect(command.output == "\(path): 1 binding, 1 upstream, 0 types, no mistakes\n")
        #expect(command.exitStatus == 0)
    }
}
