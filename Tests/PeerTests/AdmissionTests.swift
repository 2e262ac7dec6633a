import Foundation
import Testing

/// Who is let in by a real daemon, and how many.
@Suite struct AdmissionTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func configuration(_ origin: ScriptedOrigin, _ more: String = "") -> String {
        """
        upstreams:
          origin: {url: "\(origin.url)"}
        bindings:
          ANY /**: {to: origin /**}
        \(more)
        """
    }

    /// unix(7): the kernel says who is at the other end.
    @Test func usersOfASocket() throws {
        let origin = try ScriptedOrigin(answering: Self.answer)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        for (user, status) in [("\(getuid())", 200), ("\(getuid() + 1)", 403)] {
            let socket = folder.path + "/\(user).sock"
            let gateway = try Daemon(
                Self.configuration(origin), extraListener: "{address: unix:\(socket), allow: {uid: \"\(user)\"}}")
            defer { gateway.end() }
            let client = HTTPClient(try Connection(unixPath: socket))
            #expect(try client.get("/a").status == status)
            #expect(try gateway.get("/a").status == 200, "the other listener is open")
        }
    }

    /// A key made by the command opens what its digest guards, and goes no further.
    @Test func aKeyMadeHere() throws {
        let origin = try ScriptedOrigin(answering: Self.answer)
        defer { origin.end() }
        let made = try Daemon.run("key", "ci").output.split(separator: "\n").map(String.init)
        let key = try #require(made.first { $0.hasPrefix("# sluice_") }).dropFirst(2)
        let clients = made.drop { $0 != "clients:" }.joined(separator: "\n")
        let gateway = try Daemon(Self.configuration(origin, clients + "\ndefaults: {allow: {client: ci}}"))
        defer { gateway.end() }
        #expect(try gateway.get("/a").status == 401)
        #expect(try gateway.get("/a", fields: ["X-API-Key: \(key)"]).status == 200)
        #expect(!origin.received().contains(key))
    }

    /// Clients beyond the limit are closed at once, those who are there are served, and a place that is free is taken.
    @Test func connectionsHaveALimit() throws {
        let origin = try ScriptedOrigin(answering: Self.answer)
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin, "limits: {connections-per-client: 2}"))
        defer { gateway.end() }
        // Whoever waited for the daemon to listen may be there still.
        func served() throws -> HTTPClient {
            try Poll.until("there is room") {
                let client = try gateway.client()
                return (try? client.get("/a").status) == 200 ? client : nil
            }
        }
        let first = try served()
        let second = try served()
        #expect([.end, .reset].contains(try gateway.client().connection.receive()))
        #expect(try first.get("/b").status == 200)
        second.connection.end()
        _ = try served()
    }

    /// RLIMIT_NOFILE: clients cannot use up what a connection to the upstream needs.
    @Test func descriptorsAreKeptBack() throws {
        let origin = try ScriptedOrigin(answering: Self.answer)
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin, "loops: 1"), descriptorLimit: 100)
        defer { gateway.end() }
        let early = try gateway.client()
        early.connection.send("GET /early HTTP/1.1\r\n")
        let crowd = try (0..<200).map { _ in try gateway.client() }
        early.connection.send("Host: localhost\r\n\r\n")
        #expect(try early.response().status == 200)
        // Whoever waits in the queue is served once others have left.
        for client in crowd.dropLast() { client.connection.reset() }
        #expect(try crowd[199].get("/late").status == 200)
    }
}
