import SluiceJSON
import Testing

@testable import SluiceGateway

/// `POST /reload`: the owner reloads, and its verdict comes later.
@Suite struct ReloadVerdictTests {
    /// The owner: it remembers what it has to do, and what it has to tell.
    private final class Owner {
        var asked = 0
        var verdicts: [ReloadVerdict] = []

        func tell(_ isAccepted: Bool, _ text: String) {
            asked -= 1
            verdicts.append(ReloadVerdict(isAccepted: isAccepted, report: .string(text)))
        }
    }

    private struct Place {
        let owner = Owner()
        let bench: Bench

        init() throws {
            let binding = try Build.binding("GET /fruits", to: "fruit /fruits")
            bench = Bench(try RouteTable(Build.configuration([binding])))
            bench.gateway.reloader = { [owner] in owner.asked += 1 }
        }

        func ask() -> ClientPeer {
            let client = bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
            client.request("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            return client
        }

        func deliver() {
            for verdict in owner.verdicts { bench.gateway.reloadEnded(verdict) }
            owner.verdicts = []
            bench.turn()
        }
    }

    @Test(arguments: [(true, 200), (false, 409)])
    func waitsForTheVerdict(_ isAccepted: Bool, _ status: Int) throws {
        let place = try Place()
        let client = place.ask()
        #expect(client.answers.isEmpty)
        place.owner.tell(isAccepted, "said")
        #expect(client.answers.isEmpty, "it is another thread's, until the loop is told")
        place.deliver()
        let answer = try #require(client.answers.first)
        #expect(answer.status == status && answer.text == "\"said\"\n")
        #expect(answer["Content-Type"] == "application/json")
        client.reset()
        place.bench.expectQuiet()
    }

    /// A client that has left takes nobody else's verdict.
    @Test func eachGetsItsOwn() throws {
        let place = try Place()
        let clients = (0..<3).map { _ in place.ask() }
        clients[0].reset()
        for text in ["first", "second", "third"] { place.owner.tell(true, text) }
        place.deliver()
        #expect(clients[1].answers.first?.text == "\"second\"\n")
        #expect(clients[2].answers.first?.text == "\"third\"\n")
        for client in clients[1...] { client.reset() }
        place.bench.expectQuiet()
    }

    /// Others than the owner of the daemon do not get that far.
    @Test func isForTheOwnerAlone() throws {
        let place = try Place()
        let client = place.bench.client(
            credentials: PeerCredentials(user: 1001, group: 1001), admin: AdminAccess(owner: 1000))
        client.request("POST /reload HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 403)
        #expect(place.owner.asked == 0)
        client.reset()
    }
}
