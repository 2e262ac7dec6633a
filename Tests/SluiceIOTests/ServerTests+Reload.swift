import Dispatch
import Glibc
import Logging
import SluiceContract
import SluiceSockets
import Synchronization
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// What a reload changes of listeners that stay.
extension ServerTests {
    private func mode(of name: String) -> mode_t {
        var status = stat()
        return lstat(directory.file(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// Every loop has read what it was told.
    private func settled(_ server: Server) async {
        let heard = Inbox<Bool>()
        server.ping { heard.put(true) }
        _ = await heard.take()
    }

    /// A connection that is open is judged by what its listener allows now.
    @Test func aReloadJudgesOpenConnections() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        let server = server(try table([unix]))
        try server.start()
        let client = try PlainClient(try #require(SocketAddress(unix.address)))
        let request = "GET /a HTTP/1.1\r\nHost: localhost\r\n"
        client.send(request + "\r\n")
        #expect(client.read(until: "apple").hasPrefix("HTTP/1.1 200 "))
        for (user, answer) in [(geteuid(), "HTTP/1.1 200 "), (geteuid() + 1, "HTTP/1.1 403 ")] {
            var listener = unix
            listener.grants = Grants(users: [user])
            try server.reload(try table([listener]))
            await settled(server)
            client.send(request + "\r\n")
            #expect(client.read(until: "\r\n\r\n").hasPrefix(answer))
            if user == geteuid() { #expect(client.read(until: "apple") == "apple") }
        }
        #expect(await drain(server) == true)
        withExtendedLifetime(upstream) {}
    }

    /// A connection that is open is judged by what its socket is for now.
    @Test func aReloadChangesThePurposeOfASocket() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        var admin = unix
        admin.purpose = .administration
        let server = server(try table([admin]))
        try server.start()
        let client = try PlainClient(try #require(SocketAddress(unix.address)))
        let (ready, apple) = (("/readyz", "ready\n"), ("/a", "apple"))
        for (listener, (path, text)) in [(admin, ready), (unix, apple), (admin, ready)] {
            try server.reload(try table([listener]))
            await settled(server)
            client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(client.read(until: text).hasPrefix("HTTP/1.1 200 "))
        }
        #expect(await drain(server) == true)
        withExtendedLifetime(upstream) {}
    }

    @Test func aReloadChangesTheModeOfASocket() async throws {
        var listener = unix
        listener.mode = 0o666
        let server = server(try table([listener]))
        try server.start()
        #expect(mode(of: "gateway") == 0o666)
        listener.mode = 0o600
        try server.reload(try table([listener]))
        #expect(mode(of: "gateway") == 0o600)
        #expect(await drain(server) == true)
    }

    /// Who could not connect before is let in once no loop judges by the old rules any more.
    @Test func aReloadLoosensAModeBehindTheRules() async throws {
        var listener = unix
        listener.mode = 0o640
        let server = server(try table([listener]))
        try server.start()
        let gate = DispatchSemaphore(value: 0)
        server.state.withLock { $0.mailboxes }[0].post { _ in gate.wait() }
        listener.mode = 0o606
        try server.reload(try table([listener]))
        #expect(mode(of: "gateway") == 0o600)
        // The first of these changes is overtaken: it does not let in whom the second does not.
        listener.mode = 0o620
        try server.reload(try table([listener]))
        #expect(mode(of: "gateway") == 0o600)
        gate.signal()
        await settled(server)
        #expect(mode(of: "gateway") == 0o620)
        #expect(await drain(server) == true)
    }

    /// Then nobody can be told any more but by the log; the next reload tries again.
    @Test func aModeThatCannotBeLoosened() async throws {
        let said = Said()
        let server = Server(try table([unix]), logger: Logger(label: "test") { _ in said })
        try server.start()
        let gate = DispatchSemaphore(value: 0)
        server.state.withLock { $0.mailboxes }[0].post { _ in gate.wait() }
        var listener = unix
        listener.mode = 0o666
        try server.reload(try table([listener]))
        let path = directory.file("gateway")
        #expect(rename(path, path + ".away") == 0)
        gate.signal()
        await settled(server)
        let isSaid = said.all.contains { $0.hasPrefix("a socket was not given its new mode") }
        #expect(isSaid)
        #expect(rename(path + ".away", path) == 0)
        try server.reload(try table([listener]))
        await settled(server)
        #expect(mode(of: "gateway") == 0o666)
        #expect(await drain(server) == true)
    }

    /// Another daemon's socket at the path keeps its mode, whether that is to be tightened or loosened, and ours gets
    /// back the one that it had.
    @Test(arguments: [0o600, 0o666]) func aReloadLeavesTheSocketOfAnother(_ mode: Int) async throws {
        var (first, second) = (unix, Listener(.unix(path: directory.file("second"))))
        let server = server(try table([first, second]))
        try server.start()
        #expect(unlink(directory.file("second")) == 0)
        let other = try Socket.listen(second, isShared: false)
        defer { close(other) }
        (first.mode, second.mode) = (0o600, mode)
        let next = try table([first, second])
        let failure = #expect(throws: Server.StartFailure.self) { try server.reload(next) }
        #expect(failure?.description.contains("something else has taken its place") == true)
        #expect(self.mode(of: "gateway") == 0o660)
        #expect(self.mode(of: "second") == 0o660)
        #expect(await drain(server) == true)
        #expect(access(directory.file("second"), F_OK) == 0)
    }

    /// Where one of the sockets cannot be given its mode, no other one is, and nothing else changes.
    @Test func aReloadThatCannotChangeAModeChangesNothing() async throws {
        let upstream = try ScriptedUpstream(directory.file("upstream"), says: "apple")
        var (first, second) = (unix, Listener(.unix(path: directory.file("second"))))
        first.mode = 0o666
        let server = server(try table([first, second]))
        try server.start()
        #expect(unlink(directory.file("second")) == 0)
        first.mode = 0o600
        second.mode = 0o600
        let third = Listener(.unix(path: directory.file("third")))
        let next = try table([first, second, third], to: "other")
        let failure = #expect(throws: Server.StartFailure.self) { try server.reload(next) }
        #expect(failure?.description.contains("could not be given the mode 0600: no such file") == true)
        #expect(mode(of: "gateway") == 0o666)
        #expect(access(directory.file("third"), F_OK) != 0)
        #expect(try PlainClient.get("/a", from: try #require(SocketAddress(first.address))) == "apple")
        #expect(await drain(server) == true)
        withExtendedLifetime(upstream) {}
    }
}
