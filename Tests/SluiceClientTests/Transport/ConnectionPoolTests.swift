import Glibc
import TestFiles
import Testing

@testable import SluiceClient

/// Many calls at once, and calls that wait for each other, over Unix sockets.
@Suite struct ConnectionPoolTests {
    private static func transport(_ address: GatewayAddress, connections: Int, waiting: Int = 65_536)
        -> GatewayTransport
    {
        var limits = TransportLimits()
        limits.connections = connections
        limits.waiting = waiting
        return GatewayTransport(address, limits: limits)
    }

    /// Both ends of a connection are in this process.
    private static func roomForConnections() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return (Int(clamping: limit.rlim_max) - 500) / 2
    }

    private static func threads() -> Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    @Test func tenThousandCallsAtOnceTakeNoThreads() async throws {
        let connections = min(2000, Self.roomForConnections())
        let gateway = try CrowdGateway(holdingUntil: connections)
        let transport = Self.transport(try gateway.address, connections: connections)
        let (good, threads) = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    let answer = try await transport.send(CallRequest("/\(number)"), timeout: .seconds(100))
                    return try await answer.body.bytes(upTo: 10) == Array("ok".utf8) ? 1 : 0
                }
            }
            var good = 0
            var threads = 0
            for try await one in group {
                if good == 0 { threads = Self.threads() }
                good += one
            }
            return (good, threads)
        }
        #expect(good == 10_000)
        #expect(gateway.most == connections)
        // Those of other tests are among them.
        #expect(threads < 500)
    }

    @Test func aCallThatWaitsIsServedWhenAnotherEnds() async throws {
        let go = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            while let request = peer.request() {
                if request.hasPrefix("GET /first") { go.wait() }
                peer.write(GatewayTransportTests.ok)
            }
        }
        let transport = Self.transport(try gateway.address, connections: 1)
        async let first = transport.send(CallRequest("/first"), timeout: .seconds(60))
        async let second = transport.send(CallRequest("/second"), timeout: .seconds(60))
        go.put(())
        #expect(try await [first.status, second.status] == [200, 200])
        #expect(gateway.connections == 1)
    }

    /// One call has the only connection; the test decides when it ends.
    private static func withBusyTransport(
        waiting: Int = 10, _ body: (GatewayTransport) async throws -> Void
    ) async throws {
        let asked = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            asked.put(())
            peer.awaitEnd()
        }
        let transport = transport(try gateway.address, connections: 1, waiting: waiting)
        let busy = Task { try await transport.send(CallRequest("/busy"), timeout: nil) }
        await asked.take()
        try await body(transport)
        busy.cancel()
        await #expect(throws: CancellationError.self) { _ = try await busy.value }
    }

    @Test func aCallThatWaitsMayBeCancelled() async throws {
        try await Self.withBusyTransport { transport in
            let task = Task { try await transport.send(CallRequest("/"), timeout: nil) }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }

    @Test func aCallThatWaitsForTooLong() async throws {
        try await Self.withBusyTransport { transport in
            await #expect(throws: TransportError.timeout(.connection)) {
                _ = try await transport.send(CallRequest("/"), timeout: .milliseconds(20))
            }
        }
    }

    @Test func noMoreWaitThanMay() async throws {
        try await Self.withBusyTransport(waiting: 0) { transport in
            await #expect(throws: TransportError.overloaded(limit: 0)) {
                _ = try await transport.send(CallRequest("/"), timeout: nil)
            }
        }
    }

    @Test func aConnectionThatNobodyUsesIsClosed() async throws {
        let ended = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write(GatewayTransportTests.ok)
            peer.awaitEnd()
            ended.put(())
        }
        var limits = TransportLimits()
        limits.idle = .milliseconds(20)
        let transport = GatewayTransport(try gateway.address, limits: limits)
        _ = try await transport.send(CallRequest("/"), timeout: .seconds(60))
        await ended.take()
        #expect(transport.address == (try gateway.address))
    }

    @Test func aTransportThatGoesClosesItsConnections() async throws {
        let ended = Inbox<Void>()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            peer.write(GatewayTransportTests.ok)
            peer.awaitEnd()
            ended.put(())
        }
        do {
            let transport = GatewayTransport(try gateway.address)
            _ = try await transport.send(CallRequest("/"), timeout: .seconds(60))
        }
        await ended.take()
    }

    /// A gateway that does not accept: its queue is full, and says so at once (unix(7)).
    @Test func aGatewayWhoseQueueIsFull() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/full.sock"
        let listener = ScriptedGateway.listen(path, backlog: 0)
        let other = ScriptedGateway.connect(path)
        defer {
            close(other)
            close(listener)
        }
        var limits = TransportLimits()
        limits.connect = .milliseconds(50)
        let transport = GatewayTransport(try GatewayAddress("unix:\(path)"), limits: limits)
        let refused = await #expect(throws: TransportError.self) {
            _ = try await transport.send(CallRequest("/"), timeout: .seconds(60))
        }
        #expect(refused?.description.contains("does not accept connections in time") == true)
        // As soon as there is room, a call that waits for it goes on.
        limits.connect = .seconds(60)
        let patient = GatewayTransport(try GatewayAddress("unix:\(path)"), limits: limits)
        async let answer = patient.send(CallRequest("/"), timeout: .seconds(60))
        close(accept(listener, nil, nil))
        let peer = ScriptedPeer(accept(listener, nil, nil))
        #expect(peer.request() != nil)
        peer.write(GatewayTransportTests.ok)
        #expect(try await answer.status == 200)
        peer.end()
    }
}
