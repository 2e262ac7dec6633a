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

    /// The daemon would not start.
    @Test func aMissingFolderOfTheAdminSocketIsTold() throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("nope/admin.sock")
        let path = try folder.write("listen: 127.0.0.1:0\nadmin: \(socket)\n" + CommandTests.good, to: "sluice.yaml")
        let command = try Daemon.run("check", path)
        #expect(command.exitStatus == 0)
        let words = ":2:8: the folder '\(folder.file("nope"))' is not there; make it before the daemon starts"
        #expect(command.errors.contains("warning: ") && command.errors.contains(words), "\(command.errors)")
        #expect(try !Daemon.run("check", "--skip-ports", path).errors.contains("is not there"))
        try FileManager.default.createDirectory(atPath: folder.file("nope"), withIntermediateDirectories: false)
        #expect(try !Daemon.run("check", path).errors.contains("is not there"))
    }

    /// Nor would it without those of its logs.
    @Test func missingFoldersOfLogsAreTold() throws {
        let folder = try TemporaryFolder()
        let page = "log:\n  access: \(folder.file("nope/a.log"))\n  audit: none/b.log\nlisten: 127.0.0.1:0\n"
        let path = try folder.write(page + CommandTests.good, to: "sluice.yaml")
        let command = try Daemon.run("check", path)
        #expect(command.exitStatus == 0)
        for words in [":2:11: the folder '\(folder.file("nope"))'", ":3:3: the folder '\(folder.file("none"))'"] {
            #expect(command.errors.contains(words + " is not there; make it before"), "\(command.errors)")
        }
        #expect(try !Daemon.run("check", "--skip-ports", path).errors.contains("is not there"))
        for name in ["nope", "none"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: false)
        }
        #expect(try !Daemon.run("check", path).errors.contains("is not there"))
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/run/sluice")))
    func theFolderOfTheUnitIsTheUnits() throws {
        let folder = try TemporaryFolder()
        let page = "listen: 127.0.0.1:0\nadmin: /run/sluice/admin.sock\n" + CommandTests.good
        let command = try Daemon.run("check", folder.write(page, to: "sluice.yaml"))
        #expect(command.exitStatus == 0 && command.errors.contains("the systemd unit makes it"), "\(command.errors)")
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

    /// What only the gateway finds wrong stands where its binding does, be it in another file.
    @Test func whatCannotBeCompiledHasAPlace() throws {
        let folder = try TemporaryFolder()
        let binding = "  GET /a: {to: fruit /a, parent: a.*.b, value: '[Int](1...2)'}\n"
        let upstreams = "upstreams: {fruit: {url: \"http://127.0.0.1:9\"}}\n"
        let whole = try folder.write(upstreams + "bindings:\n  GET /b: {to: fruit /b}\n" + binding, to: "one.yaml")
        try folder.write("bindings:\n" + binding, to: "more.yaml")
        let including = try folder.write("include: more.yaml\n" + upstreams, to: "two.yaml")
        for (page, place) in [(whole, "one.yaml:4:3: "), (including, "more.yaml:2:3: ")] {
            let command = try Daemon.run("check", "--skip-ports", page)
            #expect(command.exitStatus == 1)
            #expect(command.errors.contains(place) && command.errors.contains("cannot count"), "\(command.errors)")
        }
    }

    /// Nobody waits for a pipe that the page names; the page itself may come out of one.
    @Test func filesOfAPageAreNoPipes() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        for place in ["tls: {ca: pipe}", "bearer: {file: pipe}"] {
            let path = try folder.write(
                """
                upstreams:
                  fruit: {url: "https://127.0.0.1:9", \(place)}
                bindings:
                  GET /fruits: {to: fruit /fruits}
                """, to: "sluice.yaml")
            let command = try Daemon.run("check", "--skip-ports", path)
            #expect(command.exitStatus == 1)
            #expect(command.errors.contains("pipe' cannot be read: it is a pipe, and no file"), "\(command.errors)")
        }
        let good = try Self.file(folder, port: 0)
        for script in [#"cat "$1" | "$0" check /dev/stdin"#, #"cat "$1" > "$2" & "$0" check "$2""#] {
            let process = try ChildProcess(["/bin/sh", "-c", script, Daemon.binary, good, folder.file("pipe")])
            #expect(try process.waitForExit() == 0, "\(process.errors)")
        }
    }

    /// What stands in a page commands no terminal, whether YAML takes it or not.
    @Test(arguments: [#"a\e[2J"#, "a\u{1B}[2J", "a\u{9B}2J"])
    func controlCharactersOfThePageAreNotPrinted(_ key: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "upstreams:\n  fruit: {url: 'http://127.0.0.1:9', \"\(key)\": {}}\nbindings: {}\n", to: "bad.yaml")
        let command = try Daemon.run("check", "--skip-ports", path)
        #expect(command.exitStatus == 1 && command.errors.contains("bad.yaml:"), "\(command.errors)")
        let values = command.errors.unicodeScalars.map(\.value)
        let controls = values.filter { $0 != 0x0A && ($0 < 0x20 || (0x7F..<0xA0).contains($0)) }
        #expect(controls.isEmpty, "\(controls)")
    }

    private struct Finding: Decodable {
        var file: String
        var line: Int
        var column: Int
        var severity: String
        var message: String
        var hint: String?
    }

    /// For editors: a page that is nowhere yet, and findings that a program reads.
    @Test func readsStandardInputAndWritesJSON() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "upstreams:\n  fruit: {url: 'http://127.0.0.1:9', timeuot: {}}\nbindings: {}\n", to: "bad.yaml")
        let script = #""$0" check --json --skip-ports "$1" < "$2""#
        for (name, file) in [("-", "<stdin>"), (path, path)] {
            let process = try ChildProcess(["/bin/sh", "-c", script, Daemon.binary, name, path])
            #expect(try process.waitForExit() == 1)
            #expect(process.errors.isEmpty, "\(process.errors)")
            let findings = try JSONDecoder().decode([Finding].self, from: Data(process.output.utf8))
            let finding = try #require(findings.first)
            #expect(findings.count == 1 && finding.file == file && finding.line == 2 && finding.column == 38)
            #expect(finding.severity == "error" && finding.message == "unknown key 'timeuot'")
            #expect(finding.hint == "did you mean 'timeout'?")
        }
        let missing = try Daemon.run("check", "--json", folder.file("none.yaml"))
        #expect(missing.exitStatus == 2 && missing.errors.isEmpty)
        let told = try #require(try JSONDecoder().decode([Finding].self, from: Data(missing.output.utf8)).first)
        #expect(told.file == folder.file("none.yaml") && told.message.contains("there is no such file"))
        let good = try folder.write("listen: 127.0.0.1:0\n" + HealthTests.configuration, to: "good.yaml")
        #expect(try Daemon.run("check", "--json", good).output == "[]\n")
        let process = try ChildProcess(["/bin/sh", "-c", #""$0" check - < "$1""#, Daemon.binary, good])
        #expect(try process.waitForExit() == 0)
        #expect(process.output == "<stdin>: 1 binding, 1 upstream, 0 types, no mistakes\n")
        #expect(try Daemon.run("check", "--json", "--explain", good).exitStatus == 64)
    }
}
