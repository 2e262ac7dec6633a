import Foundation
import Testing

/// The command as a person meets it: what it prints and how it exits.
@Suite struct CommandTests {
    static let good = """
        upstreams:
          fruit: {url: "http://127.0.0.1:9", bearer: {value: secret-token}}
        types:
          Fruit: {name: String, size: Int}
        bindings:
          GET /fruits: {to: fruit /fruits, params: {limit: Int = 10}, parent: values, value: [Fruit]}
        """

    @Test func versionTellsItself() throws {
        let command = try Daemon.run("version")
        #expect(command.exitStatus == 0)
        #expect(command.output.hasPrefix("sluice "))
        #expect(try Daemon.run("--version").output == command.output)
        for word in ["commit: ", "target: ", "-unknown-linux-gnu", "OpenSSL 3.", "nghttp2 1.", "SQLite 3.", "zstd 1."] {
            #expect(command.output.contains(word), "no \(word) in \(command.output)")
        }
    }

    /// The packages that it names are those that are pinned.
    @Test func versionNamesThePinnedPackages() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let package = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let pins = package.split(separator: "\n").filter { $0.contains(".package(url:") }
            .map { $0.split(separator: "\"") }
        let output = try Daemon.run("version").output
        let linked = try #require(output.split(separator: "\n").first { $0.hasPrefix("linked in: ") })
        // The others are for libraries that the command does not link.
        for name in ["swift-argument-parser", "swift-log"] {
            let pin = try #require(pins.first { $0[1].hasSuffix("/" + name) })
            #expect(pin[2] == ", exact: " && linked.contains("\(name) \(pin[3])"), "\(pin)")
        }
        #expect(linked.split(separator: ",").count == 3, "\(linked)")
        let version = try #require(output.split(separator: "\n").first?.split(separator: " ").last)
        for file in ["Dockerfile", "packaging/image/bake.hcl", "CHANGELOG.md"] {
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            #expect(text.contains(version), "\(file) does not name \(version)")
        }
    }

    @Test func helpNamesTheVerbs() throws {
        let command = try Daemon.run("--help")
        #expect(command.exitStatus == 0)
        for verb in ["serve", "check", "routes", "call", "health", "version", "demo-upstream"] {
            #expect(command.output.contains(verb), "no \(verb)")
        }
    }

    @Test(arguments: [
        ("chek", "my.yaml", "'chek'; did you mean 'check'?"), ("dance", "a", "'dance'; 'sluice help' lists them all."),
        ("help", "nope", "'nope'; 'sluice help' lists them all."), ("help", "serv", "'serv'; did you mean 'serve'?"),
        ("cache", "lst", "'lst'; did you mean 'list'?"),
        ("cache", "dance", "'dance'; 'sluice cache --help' lists them all."),
        ("start", "my.yaml", "'start'; did you mean 'serve'?"), ("validate", "a", "'validate'; did you mean 'check'?"),
    ])
    func anUnknownVerbIsToldWithTheNearest(_ verb: String, _ word: String, _ hint: String) throws {
        let command = try Daemon.run(verb, word)
        #expect(command.exitStatus == 64)
        #expect(command.errors.contains("There is no verb \(hint)"), "\(command.errors)")
    }

    @Test(arguments: [
        "routes", "record", "har", "har import", "har export", "export", "export swift", "key", "version",
        "demo-upstream", "call", "top", "credentials",
    ])
    func helpTellsTheExitCodes(_ verb: String) throws {
        let words = verb.split(separator: " ").map(String.init)
        let process = try ChildProcess([Daemon.binary] + words + ["--help"])
        #expect(try process.waitForExit() == 0)
        #expect(process.output.contains("\nExit codes: "), "\(process.output)")
    }

    @Test func aFileIsNoVerb() throws {
        let command = try Daemon.run("my.yaml")
        #expect(command.exitStatus == 64)
        #expect(command.errors.contains("did you mean 'sluice serve my.yaml'?"), "\(command.errors)")
    }

    @Test func checkAcceptsAGoodFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.good, to: "good.yaml")
        #expect(try Daemon.run("check", path).exitStatus == 0)
        let explained = try Daemon.run("check", "--explain", path)
        #expect(explained.exitStatus == 0)
        #expect(explained.output.contains("first-byte"), "defaults are filled in")
        #expect(!explained.output.contains("secret-token"))
    }

    /// All mistakes in one run, each with its place and the nearest known name.
    @Test func checkTellsEveryMistake() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            upstreams:
              fruit: {url: "http://127.0.0.1:9", timeuot: {}}
            types:
              Fruit: {name: Sting}
            bindings:
              GET /fruits/{id}: {to: friut /fruits, value: Friut}
            """, to: "bad.yaml")
        let command = try Daemon.run("check", path)
        #expect(command.exitStatus == 1)
        let told = command.output + command.errors
        for (place, suggestion) in [(":2:", "timeout"), (":4:", "String"), (":6:", "fruit"), (":6:", "Fruit")] {
            #expect(told.contains("bad.yaml" + place), "\(told)")
            #expect(told.contains("'\(suggestion)'"), "\(told)")
        }
    }

    @Test func checkCannotReadWhatIsNotThere() throws {
        let command = try Daemon.run("check", "/nonexistent/sluice.yaml")
        #expect(command.exitStatus == 2)
        #expect(command.errors.contains("/nonexistent/sluice.yaml"))
    }

    @Test func aPortInUseIsTold() throws {
        let folder = try TemporaryFolder()
        let listener = try Listener()
        let path = try folder.write("listen: [127.0.0.1:\(listener.port)]\n" + Self.good, to: "sluice.yaml")
        let command = try Daemon.run("serve", "--config", path)
        #expect(command.exitStatus != 0)
        #expect((command.errors + command.output).contains("\(listener.port)"), "\(command.errors)")
    }
}
