import Foundation
import SluiceContract
import Testing

/// Many requests at the moment at which a token ends.
@Suite(.needsPeers) struct CredentialsCrowdTests {
    private static let requests = 500

    /// - Returns: the numbers of the tokens that the requests of a crowd were answered with.
    private static func ask(_ gateways: [Daemon]) throws -> Set<Int> {
        let clients = try (0..<requests).map { try gateways[$0 % gateways.count].client() }
        for client in clients { client.send("GET", "/me") }
        return Set(try clients.map { try AuthorizationServer.Me($0.response()).serial })
    }

    private static func daemons(_ bench: CredentialBench, _ count: Int) throws -> [Daemon] {
        try (0..<count).map { try bench.daemon("daemon-\($0)") }
    }

    /// The server knows that it has ended, and the daemons do not: every request is refused, and sent once more.
    @Test(arguments: [1, 2]) func aTokenThatIsRefusedToAllIsRenewedOnce(daemons: Int) throws {
        let bench = try CredentialBench(life: 600, more: "loops: 2")
        defer { bench.end() }
        let gateways = try Self.daemons(bench, daemons)
        defer { gateways.forEach { $0.end() } }
        try bench.signIn(gateways[0].file)
        for gateway in gateways {
            try Poll.until("the sign-in is taken up", holds: { try gateway.get("/me").status == 200 })
        }
        let before = try bench.server.counts()
        try bench.server.forgetAccessTokens()
        #expect(try Self.ask(gateways) == [before.serial + 1])
        let after = try bench.server.counts()
        #expect(after.refreshes == before.refreshes + 1 && after.repeats == 0 && after.revoked == 0, "\(after)")
    }

    /// The daemons know it, and the server is slow: every request waits, and none shows what has ended.
    @Test(arguments: [1, 2]) func aTokenThatHasEndedForAllIsRenewedOnce(daemons: Int) throws {
        let bench = try CredentialBench(life: 6, more: "loops: 2")
        defer { bench.end() }
        let first = try bench.daemon()
        defer { first.end() }
        try bench.signIn(first.file)
        try Poll.until("the sign-in is taken up", holds: { try first.get("/me").status == 200 })
        let end = try #require(bench.list(first.file).entries["person"]?.expiresAt)
        first.end()
        let before = try bench.server.counts()
        try Poll.until("the token has ended", holds: { Date().timeIntervalSince1970 > Double(end) })
        try bench.server.pause(milliseconds: 200)
        let gateways = try Self.daemons(bench, daemons)
        defer { gateways.forEach { $0.end() } }
        let serials = try Self.ask(gateways)
        // On a slow machine the crowd takes long enough for the next renewal, ahead of the end.
        #expect(
            serials.contains(before.serial + 1) && serials.allSatisfy { $0 > before.serial && $0 < before.serial + 4 })
        let after = try bench.server.counts()
        #expect(after.repeats == 0 && after.revoked == 0 && after.refused == before.refused, "\(after)")
    }
}
