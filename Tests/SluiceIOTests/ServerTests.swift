import Dispatch
import Glibc
import Logging
import SluiceContract
import SluiceGateway
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceIO

/// The daemon with its loops, on sockets of its own.
@Suite struct ServerTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    var unix: Listener { Listener(.unix(path: directory.file("gateway"))) }
    private static let anyPort = Listener(.tcp(host: "127.0.0.1", port: 0))

    /// `GET /a` leads to the upstream at the Unix socket `name`.
    func table(_ listeners: [Listener], to name: String = "upstream") throws -> RouteTable {
        var configuration = Configuration()
        configuration.listen = listeners
        configuration.loops = 2
        configuration.upstreams = [Upstream(name: "fruit", origin: .unix(path: directory.file(name)))]
        configuration.bindings = [
            Binding(
                methods: ["GET"], path: try PathTemplate("/a"), upstream: "fruit", upstreamPath: try PathTemplate("/a"))
        ]
        return try RouteTable(configuration)
    }

    func server(_ table: RouteTable) -> Server {
        Server(table, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func get(from listener: Listener) throws -> String {
        try PlainClient.get("/a", from: try #require(SocketAddress(listener.address)))
    }

    /// - Returns: what drain says; nil where it says nothing.
    func drain(_ server: Server, within limit: Duration = .seconds(10)) async -> Bool? {
        let verdict = Inbox<Bool>()
        server.drain(within: limit) { verdict.put($0) }
        return await verdict.take()
    }

    @Test func loopsShareThePortThatTheSystemHasChosen() throws {
        let descriptors = try Socket.listen(Self.anyPort, count: 3)
        defer { for descriptor in descriptors { close(descriptor) } }
        let ports = Set(descriptors.map { SocketAddress(localOf: $0)?.port })
        #expect(ports.count == 1 && ports.first != 0)
    }

    @Test func answersOnEveryAddressAndEnds() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        let server = server(try table([unix, Self.anyPort]))
        try server.start()
        #expect(server.addresses.count == 2)
        #expect(server.addresses.first == "unix:\(directory.file("gateway"))")
        let port = try #require(server.addresses.last?.split(separator: ":").last.flatMap { Int($0) })
        #expect(port > 0)
        // More often than there are loops: the kernel chooses which of them gets a client.
        let address = try #require(SocketAddress(literal: "127.0.0.1", port: port))
        for _ in 0..<8 { #expect(try PlainClient.get("/a", from: address) == "apple") }
        #expect(try get(from: unix) == "apple")
        #expect(server.loopsAtWork == [0, 1])
        #expect(await drain(server) == true)
        #expect(server.loopsAtWork.isEmpty)
        #expect(access(directory.file("gateway"), F_OK) != 0)
        #expect(throws: SocketFailure.self) { _ = try PlainClient(address) }
        withExtendedLifetime(upstream) {}
    }

    /// What is told to every loop reaches every loop.
    @Test func everyLoopAnswersAPing() async throws {
        let server = server(try table([unix]))
        try server.start()
        let answers = Inbox<Int>()
        for number in 0..<100 { server.ping { answers.put(number) } }
        var heard: Set<Int> = []
        for _ in 0..<100 { if let number = await answers.take() { heard.insert(number) } }
        #expect(heard == Set(0..<100))
        #expect(await drain(server) == true)
    }

    /// The next request is served by the new table, on the sockets that stay, and on no other.
    @Test func aReloadReplacesTheTable() async throws {
        let upstreams = try ["upstream", "other"].map { try ScriptedUpstream(directory.file($0), says: $0) }
        let second = Listener(.unix(path: directory.file("second")))
        let server = server(try table([unix, second]))
        try server.start()
        #expect(try get(from: unix) == "upstream")
        #expect(try get(from: second) == "upstream")
        let third = Listener(.unix(path: directory.file("third")))
        try server.reload(try table([unix, third], to: "other"))
        #expect(try get(from: unix) == "other")
        #expect(try get(from: third) == "other")
        #expect(throws: SocketFailure.self) { _ = try get(from: second) }
        #expect(access(directory.file("second"), F_OK) != 0)
        #expect(await drain(server) == true)
        withExtendedLifetime(upstreams) {}
    }

    /// Who watches is told that the daemon ends, until it has.
    @Test func whoWatchesHearsOfTheEnd() async throws {
        let asked = Inbox<Bool>()
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: nil) { asked.put(true) }
        var configuration = try table([unix]).configuration
        configuration.loops = 1
        configuration.monitor = MonitorPlace(host: "127.0.0.1", port: 0)
        let server = server(try RouteTable(configuration))
        try server.start()
        let port = try #require(server.monitorAddresses.first?.split(separator: ":").last.flatMap { Int($0) })
        let address = try #require(SocketAddress(literal: "127.0.0.1", port: port))
        #expect(try PlainClient.get("/readyz", from: address) == "ready\n")
        var client: PlainClient? = try PlainClient(try #require(SocketAddress(unix.address)))
        client?.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await asked.take() == true)
        let verdict = Inbox<Bool>()
        server.drain(within: .seconds(60)) { verdict.put($0) }
        let alive = Inbox<Bool>()
        server.ping { alive.put(true) }
        #expect(await alive.take() == true)
        #expect(try PlainClient.get("/readyz", from: address) == "draining\n")
        // What was in flight ends with its client.
        client = nil
        #expect(await verdict.take() == true)
        #expect(throws: SocketFailure.self) { _ = try PlainClient(address) }
        withExtendedLifetime(upstream) {}
    }

    /// A table with an address that is somebody else's changes nothing.
    @Test func aReloadThatCannotListenChangesNothing() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        let taken = try LoopbackListener(.taken)
        let server = server(try table([unix]))
        try server.start()
        let port = try #require(taken.address.port)
        let second = Listener(.unix(path: directory.file("second")))
        let next = try table([unix, second, Listener(.tcp(host: "127.0.0.1", port: port))], to: "other")
        let failure = #expect(throws: Server.StartFailure.self) { try server.reload(next) }
        #expect(failure?.isInUse == true)
        #expect(failure?.description.hasPrefix("127.0.0.1:\(port) is in use") == true)
        #expect(server.addresses == ["unix:\(directory.file("gateway"))"])
        #expect(access(directory.file("second"), F_OK) != 0)
        #expect(try get(from: unix) == "apple")
        #expect(await drain(server) == true)
        withExtendedLifetime(upstream) {}
    }

    /// A start that fails leaves nothing that listens.
    @Test func aStartThatCannotListenLeavesNothing() throws {
        let taken = try LoopbackListener(.taken)
        let port = try #require(taken.address.port)
        let server = server(try table([unix, Listener(.tcp(host: "127.0.0.1", port: port))]))
        let failure = #expect(throws: Server.StartFailure.self) { try server.start() }
        #expect(failure?.isInUse == true)
        #expect(throws: SocketFailure.self) { _ = try get(from: unix) }
        #expect(access(directory.file("gateway"), F_OK) != 0)
    }

    /// Where the system has too few threads, those that have begun are ended, and nothing listens.
    @Test func aStartWithoutThreadsLeavesNothing() throws {
        let server = server(try table([unix]))
        let (descriptor, file) = try Socket.opened(unix)
        let place = Server.Listening(listener: unix, descriptors: [descriptor], mode: unix.mode, file: file)
        let mailboxes = (0..<3).map { _ in Mailbox() }
        let failure = #expect(throws: Server.StartFailure.self) {
            try server.runLoops([place], mailboxes) { _, index in index < 1 ? 0 : EAGAIN }
        }
        #expect(failure?.description.hasPrefix("only 1 of 3 event loops could be started") == true)
        let messages = mailboxes.map { $0.collect().count }
        #expect(messages == [1, 0, 0])
        #expect(server.loopsAtWork.isEmpty)
        #expect(throws: SocketFailure.self) { _ = try get(from: unix) }
        #expect(access(directory.file("gateway"), F_OK) != 0)
    }

    /// Another daemon may have its socket where ours was: it keeps it.
    @Test func aSocketOfAnotherStays() async throws {
        let server = server(try table([unix]))
        try server.start()
        unlink(directory.file("gateway"))
        let other = try Socket.listen(unix, isShared: false)
        defer { close(other) }
        #expect(await drain(server) == true)
        #expect(access(directory.file("gateway"), F_OK) == 0)
        #expect(throws: Never.self) { _ = try PlainClient(try #require(SocketAddress(unix.address))) }
    }

    /// Who has opened the socket goes on listening on it.
    @Test func anInheritedSocketStays() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        let descriptor = try Socket.listen(unix, isShared: false)
        let kept = dup(descriptor)
        defer { close(kept) }
        let server = server(try table([unix]))
        try server.start(inherited: [descriptor])
        #expect(try get(from: unix) == "apple")
        #expect(await drain(server) == true)
        #expect(throws: Never.self) { _ = try PlainClient(try #require(SocketAddress(unix.address))) }
        withExtendedLifetime(upstream) {}
    }

    /// An exchange that ends in time is waited for; one that does not is cut off, and that is said.
    @Test func drainingEndsInAnyCase() async throws {
        let asked = Inbox<Bool>()
        let silent = try ScriptedUpstream(directory.file("upstream"), says: nil) { asked.put(true) }
        let server = server(try table([unix]))
        try server.start()
        let client = try PlainClient(try #require(SocketAddress(unix.address)))
        client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await asked.take() == true)
        #expect(await drain(server, within: .milliseconds(1)) == false)
        #expect(server.loopsAtWork.isEmpty)
        #expect(client.readToEnd().isEmpty)
        withExtendedLifetime(silent) {}
    }
}
