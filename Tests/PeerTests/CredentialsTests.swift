import Foundation
import SluiceContract
import Testing

/// Tokens of an authorization server that nobody here wrote, kept by real daemons.
@Suite(.needsPeers) struct CredentialsTests {
    @Test func aPersonSignsInAndOut() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        try gateway.get("/me").expectProblem(.signInNeeded)

        try bench.signIn(gateway.file) { back in
            var wrong = back
            wrong.queryItems = back.queryItems?.map { $0.name == "state" ? .init(name: "state", value: "other") : $0 }
            let answer = try CredentialBench.get(wrong)
            let counts = try bench.server.counts()
            #expect(answer.status == 400 && counts.begun == 0)
        }
        try Poll.until("the daemon takes the sign-in up", holds: { try gateway.get("/me").status == 200 })
        #expect(try AuthorizationServer.Me(gateway.get("/me")).name == "person")

        let listing = try bench.list(gateway.file)
        let person = try #require(listing.entries["person"])
        let now = Int(Date().timeIntervalSince1970)
        #expect(person.kind == "oauth2" && person.state == "ready")
        let end = try #require(person.expiresAt)
        #expect((now...now + 600).contains(end))
        for secret in try bench.server.secrets() { #expect(!listing.text.contains(secret)) }

        let logout = try Daemon.run("logout", "person", "--config", gateway.file)
        #expect(logout.exitStatus == 0, "\(logout.errors)")
        try Poll.until("the daemon hears of it", holds: { try gateway.get("/me").status != 200 })
        try gateway.get("/me").expectProblem(.signInNeeded)
    }

    @Test func manyAtTheFirstMomentAskOnce() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        let clients = try (0..<200).map { _ in try gateway.client() }
        for client in clients { client.send("GET", "/bot") }
        let answers = try clients.map { try AuthorizationServer.Me($0.response()) }
        #expect(answers.allSatisfy { $0.name == "bot" && $0.serial == 1 })
        #expect(try bench.server.counts().tokenRequests == 1)
    }

    @Test func twoDaemonsShareOneSignIn() throws {
        let bench = try CredentialBench(life: 2)
        defer { bench.end() }
        let gateways = [try bench.daemon("one"), try bench.daemon("two")]
        defer { gateways.forEach { $0.end() } }
        try bench.signIn(gateways[0].file)
        for gateway in gateways {
            try Poll.until("the sign-in is taken up", holds: { try gateway.get("/me").status == 200 })
        }
        let clients = try gateways.flatMap { gateway in try (0..<8).map { _ in try gateway.client() } }
        try Poll.until(
            "tokens have been renewed three times",
            holds: {
                for client in clients { client.send("GET", "/me") }
                for client in clients { #expect(try client.response().status == 200) }
                return try bench.server.counts().refreshes >= 3
            })
        let counts = try bench.server.counts()
        #expect(counts.revoked == 0 && counts.repeats == 0, "\(counts)")
    }

    @Test(arguments: ["GET", "POST"]) func aTokenThatWasRevokedIsRenewedOnce(method: String) throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        try bench.signIn(gateway.file)
        try Poll.until("the sign-in is taken up", holds: { try gateway.get("/me").status == 200 })
        let before = try bench.server.counts()
        try bench.server.forgetAccessTokens()
        let body = method == "POST" ? "a small body" : nil
        let answer = try AuthorizationServer.Me(gateway.client().request(method, "/me", body: body))
        #expect(answer.echo == body ?? "" && answer.serial == before.serial + 1)
        let after = try bench.server.counts()
        #expect(after.tokenRequests == before.tokenRequests + 1 && after.refused == before.refused + 1, "\(after)")
    }

    @Test func anAnswerThatIsLostSignsNobodyOut() throws {
        let bench = try CredentialBench(life: 2)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        try bench.signIn(gateway.file)
        try bench.server.loseNextAnswer()
        try Poll.until(
            "a token came after the lost one",
            holds: {
                let response = try gateway.get("/me")
                return try response.status == 200 && AuthorizationServer.Me(response).serial > 2
            })
        let counts = try bench.server.counts()
        #expect(counts.repeats == 1 && counts.revoked == 0, "\(counts)")
    }
}
