import Foundation
import Testing

/// People who sign in through the console: the browser comes back to a port of its own, and no code reaches the page.
@Suite(.needsPeers) struct ConsoleSignInTests {
    @Test func aPersonSignsIn() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        let console = try ConsolePeer(gateway.file)
        defer { console.end() }
        let session = try console.session()
        let begun = try session.members("POST", "/credentials/person/login")
        #expect(begun["step"] as? String == "browser")
        let id = try #require(begun["id"] as? String)
        let agreed = try CredentialBench.get(URLComponents(string: try #require(begun["url"] as? String)))
        let back = try #require(agreed["Location"].flatMap { URLComponents(string: $0) })
        #expect(back.port.map { $0 != Int(console.port) } == true)
        #expect(try CredentialBench.get(back).status == 200)
        let end = try session.members("POST", "/credentials/person/login/wait?id=\(id)")
        #expect(end["step"] as? String == "signed-in", "\(end)")
        #expect(try AuthorizationServer.Me(gateway.get("/me")).name == "person")
        for secret in try bench.server.secrets() { #expect(!"\(end)".contains(secret)) }
        // It is over, and the daemon knows of no such sign-in at a device.
        #expect(try session.ask("POST", "/credentials/person/login/wait?id=\(id)").status == 503)
        #expect(try session.members("POST", "/credentials/person/logout")["step"] as? String == "signed-out")
    }

    /// Who begins again has a new port, or the same one where it is fixed; the earlier sign-in is over.
    @Test func aPersonMayBeginAgain() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        let console = try ConsolePeer(gateway.file)
        defer { console.end() }
        let session = try console.session()
        let first = try session.members("POST", "/credentials/person/login")
        let second = try session.members("POST", "/credentials/person/login")
        #expect(first["id"] as? String != second["id"] as? String)
        let agreed = try CredentialBench.get(URLComponents(string: try #require(second["url"] as? String)))
        let back = try #require(agreed["Location"].flatMap { URLComponents(string: $0) })
        #expect(try CredentialBench.get(back).status == 200)
        let id = try #require(second["id"] as? String)
        let end = try session.members("POST", "/credentials/person/login/wait?id=\(id)")
        #expect(end["step"] as? String == "signed-in", "\(end)")
    }
}
