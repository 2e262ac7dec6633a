import Foundation
import Testing

/// Origins and surroundings that fail while the gateway runs: it stays up, answers problems, is back with the first
/// request after the origin is, and leaks nothing.
@Suite(.serialized) struct FaultTests {
    private static func gateway(
        _ urls: [String], _ upstream: String = "", log: String = "{}", binding: String = "", limit: Int? = nil
    ) throws -> Daemon {
        try Daemon(
            """
            loops: 1
            limits: {descriptor-reserve: 1}
            log: \(log)
            upstreams:
              origin:
                url: [\(urls.map { "\"\($0)\"" }.joined(separator: ", "))]
                bearer: {value: demo-token}
                pool: {idle-max: 4}
            \(upstream.isEmpty ? "" : "    \(upstream)")
            bindings:
              GET /typed: {to: origin /fruits, parent: values, value: [{name: String}], unknown-params: drop\(binding)}
              ANY /raw/**: {to: origin /**\(binding)}
            """, descriptorLimit: limit)
    }

    /// An origin that is a process of its own, so that it can be killed and stopped.
    private static func origin(port: UInt16) throws -> ChildProcess {
        let process = try ChildProcess([Daemon.binary, "demo-upstream", "--listen", "127.0.0.1:\(port)"])
        try process.waitUntilListening(on: port)
        return process
    }

    private static func url(_ port: UInt16) -> String { "http://127.0.0.1:\(port)/v1" }

    /// What a gateway has that is at rest.
    private struct Possessions {
        /// Files and sockets.
        var descriptors: Int
        var memory: Int

        init(_ gateway: Daemon) throws {
            try gateway.get("/nothing").expectProblem(.unknownRoute)
            descriptors = try gateway.process.descriptorCount
            memory = try gateway.process.residentBytes
        }
    }

    /// Nothing is left behind but what the pool keeps, and memory that is used again.
    private static func expectNoLeak(_ gateway: Daemon, since before: Possessions) throws {
        var after = 0
        for _ in 0..<1000 {
            after = try gateway.process.descriptorCount
            if after <= before.descriptors + 4 { break }
            usleep(10_000)
        }
        #expect(after <= before.descriptors + 4, "\(before.descriptors) descriptors before, \(after) after")
        let memory = try gateway.process.residentBytes
        #expect(memory - before.memory < 8 << 20, "\(before.memory) bytes before, \(memory) after")
        #expect(gateway.process.exitStatus == nil)
    }

    /// Clients that find no descriptor wait, and the log says why, once.
    @Test func noDescriptorIsLeft() throws {
        let gateway = try Self.gateway([Self.url(try LoopbackAddress.freePort())], limit: 40)
        defer { gateway.end() }
        var clients: [HTTPClient] = []
        for _ in 0..<60 { clients.append(try gateway.client()) }
        try Poll.until("it is said", holds: { gateway.process.errors.contains("no file descriptor is left") })
        clients.removeAll()
        try gateway.get("/nothing").expectProblem(.unknownRoute)
        #expect(gateway.process.errors.components(separatedBy: "no file descriptor is left").count == 2)
    }

    /// Clients that are turned away are, too.
    @Test func noConnectionIsLeft() throws {
        let gateway = try Daemon("limits: {connections: 3}\nupstreams: {}\nbindings: {}\n")
        defer { gateway.end() }
        let clients = try (0..<6).map { _ in try gateway.client() }
        try Poll.until("it is said", holds: { gateway.process.errors.contains("there are 3 client connections") })
        withExtendedLifetime(clients) {}
    }

    // MARK: - One origin

    @Test func killed() throws {
        let port = try LoopbackAddress.freePort()
        var origin = try Self.origin(port: port)
        defer { origin.end() }
        let gateway = try Self.gateway([Self.url(port)])
        defer { gateway.end() }
        let before = try Possessions(gateway)
        for _ in 0..<3 {
            #expect(try gateway.get("/typed").status == 200)
            // In the middle of an answer, and of keeping connections.
            let waiting = try gateway.client()
            waiting.send("GET", "/raw/slow?ms=60000")
            origin.signal(SIGKILL)
            _ = try origin.waitForExit()
            #expect(try waiting.response().status == 502)
            for _ in 0..<20 { try gateway.get("/typed").expectProblem(.connectionRefused) }
            origin = try Self.origin(port: port)
            #expect(try gateway.get("/typed").status == 200)
        }
        try Self.expectNoLeak(gateway, since: before)
    }

    @Test func frozen() throws {
        let port = try LoopbackAddress.freePort()
        let origin = try Self.origin(port: port)
        defer { origin.end() }
        let gateway = try Self.gateway([Self.url(port)], "timeout: {first-byte: 200ms}")
        defer { gateway.end() }
        let before = try Possessions(gateway)
        for _ in 0..<3 {
            #expect(try gateway.get("/typed").status == 200)
            try origin.freeze()
            for _ in 0..<3 { try gateway.get("/typed").expectProblem(.firstByteTimeout) }
            origin.signal(SIGCONT)
            #expect(try gateway.get("/typed").status == 200)
        }
        try Self.expectNoLeak(gateway, since: before)
    }

    /// What trickles never stops, and is still not whole in time.
    @Test func slowByAByte() throws {
        let listener = try Listener()
        Thread.detachNewThread {
            while let connection = listener.accept() {
                Thread.detachNewThread {
                    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + String(repeating: "[", count: 8000)
                    for byte in answer.utf8 {
                        guard connection.send([byte]) else { break }
                        usleep(10_000)
                    }
                    connection.end()
                }
            }
        }
        defer { listener.end() }
        let gateway = try Self.gateway(["http://127.0.0.1:\(listener.port)"], "timeout: {total: 700ms}")
        defer { gateway.end() }
        let before = try Possessions(gateway)
        let clients = try (0..<20).map { _ in try gateway.client() }
        for client in clients { client.send("GET", "/typed") }
        for client in clients { try client.response().expectProblem(.totalTimeout) }
        for client in clients { client.connection.end() }
        try Self.expectNoLeak(gateway, since: before)
    }

    @Test(arguments: [
        [ScriptedOrigin.Step.head, .reset], [.head, .close], [.head, .halfClose], [.reset], [.close],
        [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"values\": ["), .reset],
        [.head, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .halfClose],
        [.head, .send("\u{0}\u{1}\u{2}\r\n\r\n"), .halfClose],
        [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), .close],
    ])
    func misbehaving(_ steps: [ScriptedOrigin.Step]) throws {
        let origin = try ScriptedOrigin([], thereafter: steps)
        defer { origin.end() }
        let gateway = try Self.gateway([origin.url], "timeout: {first-byte: 2s, total: 4s}")
        defer { gateway.end() }
        for _ in 0..<20 { _ = try? gateway.get("/typed") }
        let before = try Possessions(gateway)
        for _ in 0..<300 {
            let answer = try gateway.get("/typed")
            #expect((502...504).contains(answer.status))
            #expect(answer["Content-Type"] == "application/problem+json")
        }
        try Self.expectNoLeak(gateway, since: before)
    }

    // MARK: - Several origins

    /// With retries, a client notices nothing of an origin that goes and comes back.
    @Test func oneOfTwoGoesAndComesBack() throws {
        let ports = try [LoopbackAddress.freePort(), LoopbackAddress.freePort()]
        var first = try Self.origin(port: ports[0])
        let second = try Self.origin(port: ports[1])
        defer {
            first.end()
            second.end()
        }
        let gateway = try Self.gateway(
            ports.map(Self.url), "retry-budget: {per-second: 1000}", binding: ", retry: {}")
        defer { gateway.end() }
        let before = try Possessions(gateway)
        for _ in 0..<3 {
            for _ in 0..<50 { #expect(try gateway.get("/typed").status == 200) }
            first.signal(SIGKILL)
            _ = try first.waitForExit()
            for _ in 0..<50 { #expect(try gateway.get("/typed").status == 200) }
            first = try Self.origin(port: ports[0])
            let origin = first
            try Poll.until(
                "the first origin is asked again",
                holds: {
                    let status = try gateway.get("/typed").status
                    #expect(status == 200)
                    return origin.errors.contains("/v1/fruits")
                })
        }
        try Self.expectNoLeak(gateway, since: before)
    }

    @Test func hedgingHidesAFrozenOrigin() throws {
        let ports = try [LoopbackAddress.freePort(), LoopbackAddress.freePort()]
        let first = try Self.origin(port: ports[0])
        let second = try Self.origin(port: ports[1])
        defer {
            first.end()
            second.end()
        }
        let gateway = try Self.gateway(
            ports.map(Self.url), "retry-budget: {per-second: 1000}", binding: ", hedge: 30ms")
        defer { gateway.end() }
        let before = try Possessions(gateway)
        try first.freeze()
        for _ in 0..<30 { #expect(try gateway.get("/typed").status == 200) }
        first.signal(SIGCONT)
        try Self.expectNoLeak(gateway, since: before)
    }

    /// The breaker refuses at once, and lets requests in again by itself.
    @Test func theBreakerClosesAgain() throws {
        let port = try LoopbackAddress.freePort()
        let gateway = try Self.gateway(
            [Self.url(port)], "breaker: {failures: 3, rest: 200ms, rest-max: 200ms}")
        defer { gateway.end() }
        for _ in 0..<3 { try gateway.get("/typed").expectProblem(.connectionRefused) }
        let refused = try gateway.get("/typed")
        try refused.expectProblem(.circuitOpen)
        #expect(refused["Retry-After"] == "1")
        let origin = try Self.origin(port: port)
        defer { origin.end() }
        try Poll.until("the breaker lets requests in", holds: { try gateway.get("/typed").status == 200 })
        for _ in 0..<20 { #expect(try gateway.get("/typed").status == 200) }
    }

    @Test func healthChecksFindOut() throws {
        let ports = try [LoopbackAddress.freePort(), LoopbackAddress.freePort()]
        let second = try Self.origin(port: ports[1])
        defer { second.end() }
        let gateway = try Self.gateway(
            ports.map(Self.url),
            "health: {path: /v1/fruits, every: 50ms, unhealthy: 1, healthy: 1}\n    retry-budget: {per-second: 1000}")
        defer { gateway.end() }
        // The origin wants a token that probes do not have: none of the two is well, so both are asked.
        try Poll.until("the probes have come", holds: { second.errors.contains("401") })
        // The other origin's probe may be a little later; until then that one is the only one that seems well.
        try Poll.until("both are asked", holds: { try gateway.get("/typed").status == 200 })
        for _ in 0..<10 { #expect(try gateway.get("/typed").status == 200) }
    }

    // MARK: - Surroundings

    @Test func theLogCannotBeWritten() throws {
        let port = try LoopbackAddress.freePort()
        let origin = try Self.origin(port: port)
        defer { origin.end() }
        let gateway = try Self.gateway([Self.url(port)], log: "{access: /dev/full}")
        defer { gateway.end() }
        let memory = try gateway.process.residentBytes
        for _ in 0..<2000 { #expect(try gateway.get("/typed").status == 200) }
        #expect(try gateway.process.residentBytes - memory < 4 << 20)
        #expect(gateway.process.exitStatus == nil)
    }

    /// Neither can what the daemon has to say of itself, where the same disk is full.
    @Test func nothingCanBeWritten() throws {
        let port = try LoopbackAddress.freePort()
        let origin = try Self.origin(port: port)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let own = try LoopbackAddress.freePort()
        let file = try folder.write(
            """
            listen: 127.0.0.1:\(own)
            log: {access: /dev/full, level: trace}
            upstreams: {origin: {url: "\(Self.url(port))"}}
            bindings: {ANY /raw/**: {to: origin /**}}
            """, to: "sluice.yaml")
        let gateway = try ChildProcess([
            "/bin/sh", "-c", "exec \"$0\" serve --config \"$1\" 2>/dev/full", Daemon.binary, file,
        ])
        defer { gateway.end() }
        try gateway.waitUntilServing(on: own)
        for _ in 0..<50 { #expect(try HTTPClient(port: own).get("/raw/fruits").status == 401) }
        gateway.signal(SIGHUP)
        #expect(try HTTPClient(port: own).get("/raw/fruits").status == 401)
        #expect(gateway.exitStatus == nil)
    }

    /// With no descriptor left, neither clients nor upstreams can be connected; once there are some, all goes on.
    @Test func descriptorsRunOut() throws {
        let port = try LoopbackAddress.freePort()
        let origin = try Self.origin(port: port)
        defer { origin.end() }
        let gateway = try Self.gateway([Self.url(port)], limit: 48)
        defer { gateway.end() }
        #expect(try gateway.get("/typed").status == 200)
        let before = try Possessions(gateway)
        for _ in 0..<3 {
            let crowd = (0..<100).compactMap { _ in try? gateway.client() }
            for client in crowd { client.send("GET", "/typed") }
            // There are twice as many clients as descriptors; the first of them are answered, well or not.
            let first = try #require(crowd.first).response().status
            #expect([200, 502, 503].contains(first))
            for client in crowd { client.connection.reset() }
            try Poll.until("clients are served again", holds: { (try? gateway.get("/typed").status) == 200 })
        }
        try Self.expectNoLeak(gateway, since: before)
    }
}
