import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// The end of a daemon that waits for an answer of its own.
extension ServerTests {
    private struct Tokens: CredentialKind {
        static let word = "tokens"
        var client: OAuth2Client
        var presentation: CredentialPresentation { .bearer }
        var source: CredentialSource { .tokens(client) }
    }

    /// A token that is on its way keeps the loops, but no listener: clients are let go at once.
    @Test func aTokenOnItsWayIsWaitedFor() async throws {
        let asked = Inbox<Bool>()
        let tokens = try HeldTokenServer { asked.put(true) }
        var client = OAuth2Client()
        client.tokenURL = "http://127.0.0.1:\(tokens.port)/token"
        client.clientID = "cli"
        client.clientSecret = .value("secret")
        client.grant = .clientCredentials
        var configuration = try table([unix]).configuration
        configuration.state = directory.file("state")
        configuration.credentials = [Credential(name: "fruit", kind: Tokens(client: client))]
        configuration.upstreams[0].credential = .named("fruit")
        let server = server(try RouteTable(configuration))
        try server.start()
        var waiting: PlainClient? = try PlainClient(try #require(SocketAddress(unix.address)))
        waiting?.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await asked.take() == true)
        let verdict = Inbox<Bool>()
        server.drain(within: .seconds(60)) { verdict.put($0) }
        #expect(access(directory.file("gateway"), F_OK) != 0)
        // One of the loops has nothing in flight, and stays nevertheless.
        let alive = Inbox<Bool>()
        for _ in 0..<2 {
            server.ping { alive.put(true) }
            #expect(await alive.take() == true)
        }
        waiting = nil
        tokens.answer()
        #expect(await verdict.take() == true)
        #expect(access(directory.file("state/fruit.token"), F_OK) == 0)
    }
}
