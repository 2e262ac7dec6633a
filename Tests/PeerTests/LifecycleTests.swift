import Foundation
import Testing

/// Living as a service: draining, reloading, telling the service manager, taking over its sockets.
@Suite struct LifecycleTests {
    static func answer(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func configuration(_ origin: ScriptedOrigin, path: String = "/a") -> String {
        """
        upstreams:
          origin: {url: "\(origin.url)"}
        bindings:
          ANY \(path): {to: origin \(path)}
        """
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func whatIsInFlightIsFinished(_ signal: Int32) throws {
        let gate = Gate()
        let origin = try ScriptedOrigin([[.head, .wait(gate), .send(Self.answer("late"))]])
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin))
        defer { gateway.end() }
        let idle = try gateway.client()
        let client = try gateway.client()
        client.send("GET", "/a")
        try Poll.until("the request is there", holds: { !origin.received().isEmpty })
        gateway.process.signal(signal)
        try Poll.until("nobody accepts any more", holds: { (try? gateway.client()) == nil })
        #expect(idle.isEnded())
        gate.open()
        let response = try client.response()
        #expect(response.text == "late")
        #expect(response.isComplete)
        #expect(client.isEnded())
        #expect(try gateway.process.waitForExit() == 0)
    }

    @Test func drainingHasAnEnd() throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try ScriptedOrigin([[.head, .wait(gate)]])
        defer { origin.end() }
        let gateway = try Daemon("drain: 200ms\n" + Self.configuration(origin))
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("GET", "/a")
        try Poll.until("the request is there", holds: { !origin.received().isEmpty })
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 0)
    }

    @Test func aSecondSignalEndsItAtOnce() throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try ScriptedOrigin([[.head, .wait(gate)]])
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin))
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("GET", "/a")
        try Poll.until("the request is there", holds: { !origin.received().isEmpty })
        gateway.process.signal(SIGTERM)
        try Poll.until("nobody accepts any more", holds: { (try? gateway.client()) == nil })
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 1)
    }

    @Test func aGoodConfigurationTakesOver() throws {
        let origin = try ScriptedOrigin(answering: Self.answer("ok"))
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin))
        defer { gateway.end() }
        let client = try gateway.client()
        #expect(try client.get("/a").status == 200)
        #expect(try client.get("/b").status == 404)
        try gateway.reload(Self.configuration(origin, path: "/b"))
        // The connection outlives the configuration.
        try Poll.until("the new binding answers", holds: { try client.get("/b").status == 200 })
        #expect(try client.get("/a").status == 404)
    }

    @Test func aBadConfigurationIsRefused() throws {
        let origin = try ScriptedOrigin(answering: Self.answer("ok"))
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin))
        defer { gateway.end() }
        try gateway.reload(Self.configuration(origin, path: "/b") + "\nbindigns: {}\n")
        try Poll.until("the mistake is told", holds: { gateway.process.errors.contains("bindigns") })
        #expect(gateway.process.errors.contains("bindings"), "with the nearest known name")
        #expect(try gateway.get("/a").status == 200)
        #expect(try gateway.get("/b").status == 404)
    }

    /// No request is lost, answered twice, or answered by the wrong binding, while the configuration is reloaded and
    /// the upstreams come and go.
    @Test func everyRequestIsAnsweredThroughReloadsAndRestarts() throws {
        var origins = try ["first", "second"].map { try ScriptedOrigin(answering: Self.answer($0)) }
        let ports = origins.map(\.port)
        defer { origins.forEach { $0.end() } }
        let configuration = """
            upstreams:
              first: {url: "\(origins[0].url)"}
              second: {url: "\(origins[1].url)"}
            bindings:
              GET /first: {to: first /}
              GET /second: {to: second /}
            """
        let gateway = try Daemon(configuration)
        defer { gateway.end() }
        let clients = [try gateway.client(), try gateway.client()]
        var served = 0
        for round in 0..<600 {
            if round % 20 == 0 { try gateway.reload(configuration + "\n# \(round)\n") }
            if round % 50 == 25 {
                let index = round / 50 % 2
                origins[index].end()
                let body = Self.answer(["first", "second"][index])
                origins[index] = try Poll.until("the upstream is back") {
                    try? ScriptedOrigin(answering: body, port: ports[index])
                }
            }
            let name = round % 3 == 0 ? "first" : "second"
            let response = try clients[round % 2].get("/" + name)
            #expect(response.isComplete)
            if response.status == 200 {
                #expect(response.text == name)
                served += 1
            } else {
                #expect(response.status == 502)
                #expect(response["Content-Type"] == "application/problem+json")
            }
        }
        #expect(served > 500)
    }

    @Test func theServiceManagerIsTold() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket(in: folder)
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try Daemon(
            Self.configuration(origin),
            environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "400000"])
        defer { gateway.end() }
        try socket.waitFor("READY=1")
        try socket.waitFor("WATCHDOG=1")
        try gateway.reload(Self.configuration(origin))
        try socket.waitFor("RELOADING=1")
        try Poll.until(
            "it is ready again", holds: { socket.assignments.filter { $0 == "READY=1" }.count == 2 })
        gateway.process.signal(SIGTERM)
        try socket.waitFor("STOPPING=1")
        #expect(socket.assignments.contains { $0.hasPrefix("STATUS=") })
        #expect(try gateway.process.waitForExit() == 0)
    }

    /// A page on something that does not answer, here a pipe that nobody writes to, holds up no end.
    @Test func aReloadThatHangsDoesNotHoldUpDraining() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket(in: folder)
        let gate = Gate()
        let origin = try ScriptedOrigin([[.head, .wait(gate), .send(Self.answer("late"))]])
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin), environment: ["NOTIFY_SOCKET": socket.path])
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("GET", "/a")
        try Poll.until("the request is there", holds: { !origin.received().isEmpty })
        #expect(unlink(gateway.file) == 0 && mkfifo(gateway.file, 0o600) == 0)
        gateway.process.signal(SIGHUP)
        try socket.waitFor("RELOADING=1")
        gateway.process.signal(SIGTERM)
        try socket.waitFor("STOPPING=1")
        try Poll.until("nobody accepts any more", holds: { (try? gateway.client()) == nil })
        gate.open()
        #expect(try client.response().text == "late")
        #expect(try gateway.process.waitForExit() == 0)
    }

    /// sd_listen_fds(3): descriptor 3 is a listener already.
    @Test func socketsAreTakenOver() throws {
        let folder = try TemporaryFolder()
        let origin = try ScriptedOrigin(answering: Self.answer("ok"))
        defer { origin.end() }
        let path = try folder.write(Self.configuration(origin), to: "sluice.yaml")
        let listener = try Listener()
        // LISTEN_PID has to be the daemon's own, which only the process itself knows before the daemon is there.
        let process = try ChildProcess(
            ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" serve --config "$1""#, Daemon.binary, path],
            environment: ["LISTEN_FDS": "1"], inherited: [listener.descriptor])
        defer { process.end() }
        // The kernel queues the connection until the daemon accepts it.
        #expect(try HTTPClient(port: listener.port).get("/a").text == "ok")
    }

    @Test func aUnixSocketIsServed() throws {
        let folder = try TemporaryFolder()
        let origin = try ScriptedOrigin(answering: Self.answer("ok"))
        defer { origin.end() }
        let socket = folder.file("s")
        let path = try folder.write("listen: [unix:\(socket)]\n" + Self.configuration(origin), to: "sluice.yaml")
        let process = try ChildProcess([Daemon.binary, "serve", "--config", path])
        defer { process.end() }
        let connection = try Poll.until("the socket is there", { try? Connection(unixPath: socket) })
        #expect(try HTTPClient(connection).get("/a").text == "ok")
        process.end()
        #expect(!FileManager.default.fileExists(atPath: socket), "the socket goes with the daemon")
    }
}
