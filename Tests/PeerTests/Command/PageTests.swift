import Foundation
import Testing

/// How verbs find their page, what they want of it, and what they say about it.
@Suite struct PageTests {
    /// `FILE` and `--config FILE` are the same to every verb that has no other arguments.
    @Test(arguments: ["check", "routes", "health", "reload", "serve"])
    func isNamedInBothForms(_ verb: String) throws {
        let path = "/nonexistent/sluice.yaml"
        for arguments in [[path], ["--config", path], ["-c", path]] {
            let process = try ChildProcess([Daemon.binary, verb] + arguments)
            // A container's health check knows 0 and 1 alone.
            #expect(try process.waitForExit() == (verb == "health" ? 1 : 2), "\(process.errors)")
            #expect(process.errors.contains(path))
        }
        let both = try Daemon.run(verb, path, "--config", "/nonexistent/other.yaml")
        #expect(both.exitStatus == 64)
        #expect(both.errors.contains("are two files"))
    }

    /// A page as root finds it beside the unit: its secrets are the daemon's alone.
    static func secretive(_ folder: TemporaryFolder) -> String {
        """
        admin: \(folder.file("admin.sock"))
        upstreams:
          fruit: {url: "http://127.0.0.1:9", bearer: {file: fruit-token}}
          other: {url: "http://127.0.0.1:9", bearer: {env: SLUICE_TEST_OTHER}}
        bindings:
          GET /fruits: {to: fruit /fruits, cache: {}}
        """
    }

    @Test func onlyWhoServesNeedsItsSecrets() throws {
        let folder = try TemporaryFolder()
        let credentials = try TemporaryFolder()
        try credentials.write("secret", to: "fruit-token")
        let gateway = try Daemon(
            Self.secretive(folder),
            environment: ["CREDENTIALS_DIRECTORY": credentials.path, "SLUICE_TEST_OTHER": "other"])
        defer { gateway.end() }
        let file = gateway.file
        for arguments in [
            ["health", file], ["routes", file], ["cache", "list", "-c", file], ["cache", "stats", "-c", file],
            ["cache", "explain", "/fruits", "-c", file], ["cache", "purge", "--all", "-c", file],
        ] {
            let process = try ChildProcess([Daemon.binary] + arguments)
            #expect(try process.waitForExit() == 0, "\(arguments): \(process.errors)")
            #expect(process.errors.isEmpty, "\(arguments): \(process.errors)")
        }
        let call = try Daemon.run("call", "GET /fruits", "-c", file)
        #expect(call.errors.contains("urn:sluice:problem:"), "it has asked the daemon: \(call.errors)")
        let direct = try Daemon.run("call", "GET /fruits", "--direct", "-c", file)
        #expect(direct.errors.contains("fruit-token' cannot be read"), "\(direct.errors)")
        let serve = try Daemon.run("serve", file)
        #expect(serve.exitStatus == 1)
        #expect(serve.errors.contains("fruit-token' cannot be read") && serve.errors.contains("SLUICE_TEST_OTHER"))
        // The daemon does.
        let reload = try Daemon.run("reload", file)
        #expect(reload.exitStatus == 0, "\(reload.errors)")
    }

    @Test func checkSaysWhichSecretsItCannotSee() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("listen: 127.0.0.1:0\n" + Self.secretive(folder), to: "sluice.yaml")
        let command = try Daemon.run("check", file)
        #expect(command.exitStatus == 0)
        for word in ["warning: ", "fruit-token' cannot be read from here", "'SLUICE_TEST_OTHER' here", "--strict"] {
            #expect(command.errors.contains(word), "\(word) in \(command.errors)")
        }
        let strict = try Daemon.run("check", "--strict", file)
        #expect(strict.exitStatus == 1)
        #expect(strict.errors.hasSuffix("sluice.yaml: 2 mistakes\n"), "\(strict.errors)")
    }

    /// A file that the daemon would not use does not pass.
    @Test(arguments: [(0o620, 1), (0o660, 1), (0o640, 0)] as [(mode_t, Int32)])
    func checkAndServeAgreeOnModes(_ mode: mode_t, _ status: Int32) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "listen: 127.0.0.1:0\n"
                + CommandTests.good.replacingOccurrences(of: "value: secret-token", with: "file: t"),
            to: "sluice.yaml")
        try folder.write("secret", to: "t")
        chmod(folder.file("t"), mode)
        #expect(try Daemon.run("check", file).exitStatus == status)
        if status == 0 { return }
        let serve = try Daemon.run("serve", file)
        #expect(serve.exitStatus == status)
        #expect(serve.errors.contains("can be written by others"), "\(serve.errors)")
    }

    /// What is merely odd is told by who checks and by who serves.
    @Test func warningsAreToldOnce() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "listen: 0.0.0.0:0\n" + HealthTests.configuration, to: "sluice.yaml")
        #expect(try Daemon.run("check", file).errors.contains("can be reached from other machines"))
        for arguments in [["routes", file], ["health", file], ["call", "GET /fruits", "-c", file]] {
            let process = try ChildProcess([Daemon.binary] + arguments)
            _ = try process.waitForExit()
            #expect(!process.errors.contains("can be reached"), "\(process.errors)")
        }
    }

    @Test func serveListensWhereItIsTold() throws {
        let folder = try TemporaryFolder()
        let listener = try Listener()
        let file = try folder.write(
            "listen: 127.0.0.1:\(listener.port)\n" + HealthTests.configuration, to: "sluice.yaml")
        let port = try LoopbackAddress.freePort()
        let socket = folder.file("s")
        let process = try ChildProcess(
            [Daemon.binary, "serve", file, "--listen", "\(port)", "--listen", "unix:\(socket)"])
        defer { process.end() }
        try process.waitUntilServing(on: port)
        #expect(try HTTPClient(Connection(unixPath: socket)).get("/fruits").status == 502)
        // Still so after a reload.
        try folder.write(
            "listen: 127.0.0.1:\(listener.port)\n"
                + HealthTests.configuration
                .replacingOccurrences(of: "/fruits:", with: "/trees:"), to: "sluice.yaml")
        process.signal(SIGHUP)
        try Poll.until("it is reloaded", holds: { try HTTPClient(port: port).get("/trees").status == 502 })
        for wrong in ["x", "70000", "127.0.0.1", "example.com:80"] {
            #expect(try Daemon.run("serve", file, "--listen", wrong).exitStatus == 64)
        }
        #expect(try Daemon.run("serve", "-").exitStatus == 64)
    }

    @Test func aRunningSluiceInTheWayIsCalledSo() throws {
        let gateway = try Daemon(HealthTests.configuration)
        defer { gateway.end() }
        let other = try Daemon.run("serve", gateway.file)
        #expect(other.exitStatus == 1)
        let expected = "sluice: 127.0.0.1:\(gateway.port) is in use by a Sluice that runs already; "
        #expect(other.errors.hasPrefix(expected), "\(other.errors)")
    }

    /// At a socket of the file system, too.
    @Test func theAdminSocketOfARunningSluiceIsCalledSo() throws {
        let folder = try TemporaryFolder()
        let page = "admin: \(folder.file("admin.sock"))\n" + HealthTests.configuration
        let gateway = try Daemon(page)
        defer { gateway.end() }
        let file = try folder.write("listen: 127.0.0.1:0\n" + page, to: "sluice.yaml")
        let other = try Daemon.run("serve", file)
        #expect(other.exitStatus == 1)
        let words = "sluice: unix:\(folder.file("admin.sock")) is in use by a Sluice that runs already; "
        #expect(other.errors.contains(words), "\(other.errors)")
    }
}
