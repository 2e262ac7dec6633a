import Foundation
import Testing

/// `sluice doctor`: what is wrong around a page, line by line, with what to do about it.
@Suite struct DoctorTests {
    private static func page(_ url: String, _ rest: String = "") -> String {
        """
        listen: 127.0.0.1:0
        upstreams:
          fruit: {url: "\(url)"}
        bindings:
          GET /fruits: {to: fruit /fruits}
        \(rest)
        """
    }

    private static func run(_ page: String, _ options: String..., in folder: TemporaryFolder) throws -> ChildProcess {
        let file = try folder.write(page, to: "sluice.yaml")
        let process = try ChildProcess([Daemon.binary, "doctor", file] + options)
        _ = try process.waitForExit()
        return process
    }

    private static func lines(_ process: ChildProcess, _ start: String) -> [Substring] {
        process.output.split(separator: "\n").filter { $0.hasPrefix(start) }
    }

    @Test func nothingIsWrongWithAnUpstreamThatAnswers() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let command = try Self.run(Self.page("http://127.0.0.1:\(upstream.port)/v1"), in: try TemporaryFolder())
        #expect(command.exitStatus == 0, "\(command.output)")
        #expect(Self.lines(command, "wrong").isEmpty)
        let fruit = try #require(Self.lines(command, "ok    fruit").first)
        #expect(fruit.contains("to HEAD /, within "))
    }

    @Test func anUpstreamThatIsNotThereIsTold() throws {
        let port = try LoopbackAddress.freePort()
        let command = try Self.run(Self.page("http://127.0.0.1:\(port)"), in: try TemporaryFolder())
        #expect(command.exitStatus == 1)
        #expect(Self.lines(command, "wrong fruit").count == 1, "\(command.output)")
        #expect(command.output.contains("→ does it run, and is the port of 'url:' right?"))
        let offline = try Self.run(Self.page("http://127.0.0.1:\(port)"), "--offline", in: try TemporaryFolder())
        #expect(offline.exitStatus == 0, "\(offline.output)")
    }

    @Test func aCertificateOfNobodyIsTold() throws {
        let authority = try CertificateAuthority.shared.get()
        let identity = try authority.identity("doctor", name: "IP:127.0.0.1")
        let port = try LoopbackAddress.freePort()
        let folder = try TemporaryFolder()
        let tls = """
            listen:
              address: 127.0.0.1:\(port)
              tls: {certificate: "\(identity.certificate)", key: "\(identity.key)"}
            \(HealthTests.configuration)
            """
        let server = try ChildProcess([Daemon.binary, "serve", try folder.write(tls, to: "server.yaml")])
        defer { server.end() }
        try server.waitUntilListening(on: port)
        let unknown = try Self.run(Self.page("https://127.0.0.1:\(port)"), in: folder)
        #expect(unknown.exitStatus == 1)
        #expect(unknown.output.contains("→ look at its 'tls:'"), "\(unknown.output)")
        let page = """
            listen: 127.0.0.1:0
            upstreams:
              fruit: {url: "https://127.0.0.1:\(port)", tls: {ca: "\(authority.path)"}}
            bindings:
              GET /fruits: {to: fruit /fruits}
            """
        let known = try Self.run(page, in: folder)
        #expect(known.exitStatus == 0, "\(known.output)")
    }

    @Test func aClockThatIsOffIsTold() throws {
        let answer = "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n"
        let origin = try ScriptedOrigin(answering: answer)
        defer { origin.end() }
        let command = try Self.run(Self.page("http://127.0.0.1:\(origin.port)"), in: try TemporaryFolder())
        #expect(command.exitStatus == 1)
        #expect(command.output.contains("s ahead of that of an upstream"), "\(command.output)")
        #expect(!origin.received().lowercased().contains("authorization"))
    }

    @Test func mistakesOpenPagesAndMissingFoldersAreTold() throws {
        let folder = try TemporaryFolder()
        let wrong = try Self.run(Self.page("http://127.0.0.1:9", "limits: {conections: 1}"), "--offline", in: folder)
        #expect(wrong.exitStatus == 1)
        #expect(wrong.output.contains("conections") && wrong.output.contains("did you mean 'connections'?"))
        let rest = "log: {access: \(folder.path)/none/access.log}"
        let file = try folder.write(Self.page("http://127.0.0.1:9", rest), to: "open.yaml")
        chmod(file, 0o666)
        let open = try Daemon.run("doctor", file, "--offline")
        #expect(open.exitStatus == 1)
        #expect(open.output.contains("→ chmod o-w \(file)"), "\(open.output)")
        #expect(open.output.contains("none, for 'log: access', is not there"))
        #expect(open.output.contains("→ mkdir -m 700 -p \(folder.path)/none,"), "\(open.output)")
        let missing = try Daemon.run("doctor", folder.file("nothing.yaml"))
        #expect(missing.exitStatus == 1 && missing.output.contains("sluice init"))
    }

    /// State and cache are made by the daemon: the state with the folders above it, the cache alone.
    @Test func whatTheDaemonMakesIsNotMissed() throws {
        let folder = try TemporaryFolder()
        let (state, cache) = (folder.file("a/b/state"), folder.file("cache"))
        let made = try Self.run(
            Self.page("http://127.0.0.1:9", "state: \(state)\ncache: {disk: \(cache)}"), "--offline", in: folder)
        #expect(made.exitStatus == 0, "\(made.output)")
        let words = "ok    folders     \(state) (will be made), \(cache) (will be made)"
        #expect(Self.lines(made, "ok    folders").map(String.init) == [words], "\(made.output)")
        try folder.write("", to: "file")
        for rest in ["cache: {disk: \(folder.file("a/cache"))}", "state: \(folder.file("file/state"))"] {
            let command = try Self.run(Self.page("http://127.0.0.1:9", rest), "--offline", in: folder)
            #expect(command.exitStatus == 1 && command.output.contains("→ mkdir -m 700 -p "), "\(command.output)")
        }
    }

    /// Who may write an included file, or take its place, has the page's secrets as well.
    @Test func includedFilesAndFoldersCount() throws {
        let folder = try TemporaryFolder()
        let included = try folder.write("bindings: {GET /fruits: {to: fruit /fruits}}\n", to: "more.yaml")
        let text = """
            listen: 127.0.0.1:0
            upstreams: {fruit: {url: "http://127.0.0.1:9"}}
            include: more.yaml
            """
        let file = try folder.write(text, to: "sluice.yaml")
        let well = try Daemon.run("doctor", file, "--offline")
        #expect(well.exitStatus == 0, "\(well.output)")
        chmod(included, 0o666)
        let open = try Daemon.run("doctor", file, "--offline")
        #expect(open.exitStatus == 1 && open.output.contains("→ chmod o-w \(included)"), "\(open.output)")
        chmod(included, 0o644)
        chmod(folder.path, 0o777)
        let around = try Daemon.run("doctor", file, "--offline")
        #expect(around.exitStatus == 1 && around.output.contains("→ chmod o-w \(folder.path)"), "\(around.output)")
        chmod(folder.path, 0o700)
        chown(file, 0, 4711)
        chmod(file, 0o664)
        let group = try Daemon.run("doctor", file, "--offline")
        #expect(group.exitStatus == 0 && group.output.contains("group 4711 can write"), "\(group.output)")
    }

    /// A connection would start the service, and wait for it.
    @Test func aSocketThatWaitsForItsServiceIsNotConnectedTo() throws {
        let folder = try TemporaryFolder()
        let port = try LoopbackAddress.freePort()
        let started = folder.file("started")
        let manager = try ChildProcess([
            "/usr/bin/systemd-socket-activate", "-l", "127.0.0.1:\(port)", "/bin/sh", "-c", "touch \(started)",
        ])
        defer { manager.end() }
        try Poll.until("it listens", holds: { manager.errors.contains("Listening on") })
        let page = Self.page("http://127.0.0.1:9").replacingOccurrences(of: "127.0.0.1:0", with: "127.0.0.1:\(port)")
        let command = try Self.run(page, "--offline", in: folder)
        #expect(command.exitStatus == 0, "\(command.output)")
        #expect(Self.lines(command, "note  addresses").first?.contains("is held by systemd-socket") == true)
        #expect(try Daemon.run("check", folder.file("sluice.yaml")).errors.contains("warning:"))
        // What a connection would have done: it comes last, and starts the program.
        #expect(!FileManager.default.fileExists(atPath: started))
        _ = try Connection(port: port)
        try Poll.until("it is started", holds: { FileManager.default.fileExists(atPath: started) })
    }

    @Test func whoHasAnAddressIsNamed() throws {
        let holder = try ChildProcess(["/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", "0"])
        defer { holder.end() }
        let port = try Poll.until("it listens") {
            holder.output.firstMatch(of: /port (\d+)/).map { String($0.1) }
        }
        let page = Self.page("http://127.0.0.1:9").replacingOccurrences(of: "127.0.0.1:0", with: "127.0.0.1:\(port)")
        let command = try Self.run(page, "--offline", in: try TemporaryFolder())
        #expect(command.exitStatus == 1)
        #expect(command.output.contains("in use by python3 (process \(holder.pid))"), "\(command.output)")
    }

    /// On a terminal one sees what takes long, until it is done.
    @Test func whatTakesLongIsTold() throws {
        let gate = Gate()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let origin = try ScriptedOrigin([[.head, .wait(gate), .send(answer)]])
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.page(origin.url), to: "sluice.yaml")
        let command = try ChildProcess(
            ["/usr/bin/script", "-qefc", "\(Daemon.binary) doctor \(file)", "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": "1"])
        defer { command.end() }
        try Poll.until("it says so", holds: { command.output.contains("asking \(origin.url) … 2 s") })
        gate.open()
        #expect(try command.waitForExit() == 0, "\(command.output)")
        let line = try #require(command.output.split(separator: "\r\n").first { $0.contains("asking") })
        #expect(line.contains("\r\u{1B}[Kok    fruit") && !line.contains("\u{1B}[1"), "\(line)")
    }

    @Test func theDaemonIsAsked() throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("admin.sock")
        let gateway = try Daemon("admin: \(socket)\n" + HealthTests.configuration)
        defer { gateway.end() }
        let running = try Daemon.run("doctor", gateway.file, "--offline")
        #expect(running.exitStatus == 0, "\(running.output)")
        #expect(Self.lines(running, "ok    daemon").first?.contains("it runs, version ") == true)
        #expect(Self.lines(running, "ok    addresses").first?.contains("a Sluice that runs already") == true)
        gateway.end()
        let gone = try Daemon.run("doctor", gateway.file, "--offline")
        #expect(gone.exitStatus == 0 && gone.output.contains("none answers at \(socket)"), "\(gone.output)")
    }

    @Test func failingCredentialsAreToldWithTheirReason() throws {
        let folder = try TemporaryFolder()
        let gateway = try Daemon(
            """
            admin: \(folder.file("admin.sock"))
            credentials: {forge: {command: {run: [/bin/false]}}}
            upstreams: {fruit: {url: "http://127.0.0.1:9", credential: forge}}
            bindings: {GET /fruits: {to: fruit /fruits}}
            """)
        defer { gateway.end() }
        #expect(try gateway.get("/fruits").status >= 500)
        let command = try Daemon.run("doctor", gateway.file, "--offline")
        #expect(command.exitStatus == 1, "\(command.output)")
        let line = try #require(Self.lines(command, "wrong credentials").first, "\(command.output)")
        #expect(line.contains("'forge': "))
        #expect(command.output.contains("sluice credentials refresh forge"), "\(command.output)")
    }

    @Test(arguments: ["501 Not Implemented", "405 Method Not Allowed"])
    func whoAnswersNoHEADIsReached(_ status: String) throws {
        let origin = try ScriptedOrigin(answering: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
        defer { origin.end() }
        let command = try Self.run(Self.page(origin.url), in: try TemporaryFolder())
        #expect(command.exitStatus == 0, "\(command.output)")
        let line = try #require(Self.lines(command, "ok    fruit").first, "\(command.output)")
        #expect(line.contains("is reached (it does not answer HEAD)"))
    }

    @Test func programsGetJSON() throws {
        let command = try Self.run(Self.page("http://127.0.0.1:9"), "--offline", "--json", in: try TemporaryFolder())
        let value = try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [[String: Any]]
        let first = try #require(value?.first)
        #expect(first["subject"] as? String == "page" && first["verdict"] as? String == "ok")
    }
}
