import SluiceContract
import Testing

@testable import SluiceGateway

/// Steps of sign-ins over the admin socket.
@Suite struct SignInRequestTests {
    /// Whoever keeps credentials: what it was asked for.
    private final class Owner {
        var asked: [(request: SignInRequest, number: Int)] = []
    }

    private let owner = Owner()
    private let bench: Bench

    init() throws {
        bench = Bench(try RouteTable(Build.configuration([try Build.binding("GET /a", to: "fruit /a")])))
        bench.gateway.signer = { [owner] in owner.asked.append(($0, $1)) }
    }

    private func ask(
        _ target: String, by method: String = "POST", _ fields: String = "", user: UInt32 = 1000
    ) -> ClientPeer {
        let client = bench.client(
            credentials: PeerCredentials(user: user, group: user), admin: AdminAccess(owner: 1000))
        client.request("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: 0\r\n\r\n")
        return client
    }

    @Test(
        arguments: [
            ("login", "", .begin(redirect: nil)),
            ("login?redirect=http%3A%2F%2F127.0.0.1%3A1%2Fx", "", .begin(redirect: "http://127.0.0.1:1/x")),
            (
                "login/code?id=7", "Sluice-Code: a%2Fb%2B\r\nSluice-State: s\r\nSluice-Issuer: https://i\r\n",
                .redeem(id: "7", .init(code: "a/b+", state: "s", issuer: "https://i"))
            ),
            ("login/wait?id=7", "", .wait(id: "7")), ("logout", "", .signOut),
        ] as [(String, String, SignInRequest.Step)])
    func stepsAreHandedOn(target: String, fields: String, step: SignInRequest.Step) throws {
        let client = ask("/credentials/fruit-1/" + target, fields)
        #expect(client.answers.isEmpty)
        let asked = try #require(owner.asked.first)
        #expect(asked.request == SignInRequest("fruit-1", step, by: 1000))
        bench.gateway.signInEnded(asked.number, .pending)
        bench.turn()
        #expect(client.answers.first?.text == "{\"step\":\"pending\"}\n")
        client.reset()
        bench.expectQuiet()
    }

    @Test(
        arguments: [
            ("login/code?id=7", "", "Sluice-Code"), ("login/code?id=7", "Sluice-Code: x\r\n", "Sluice-State"),
            ("login/code", "Sluice-Code: x\r\nSluice-State: s\r\n", "'id'"), ("login/wait", "", "'id'"),
            ("login/wait?id=7&x=1", "", "x"), ("logout?x=1", "", "x"), ("login?to=x", "", "to"),
            ("login/code?id=7", "Sluice-Code: %FF\r\nSluice-State: s\r\n", "Sluice-Code"),
        ])
    func whatIsMissingIsNamed(target: String, fields: String, name: String) throws {
        let client = ask("/credentials/fruit/" + target, fields)
        let answer = try #require(client.answers.first)
        #expect(answer.status == 400 && answer.text.contains(name) && owner.asked.isEmpty)
        client.reset()
    }

    @Test func onlyPOSTChangesAnything() throws {
        let client = ask("/credentials/fruit/login", by: "GET")
        #expect(client.answers.first?.status == 405 && client.answers.first?["Allow"] == "POST")
        client.reset()
        for target in ["/credentials//login", "/credentials/a/b/login", "/credentials/a/logon"] {
            let client = ask(target)
            #expect(client.answers.first?.status == 404, "\(target)")
            client.reset()
        }
        #expect(owner.asked.isEmpty)
    }

    @Test func isForTheOwnerAlone() {
        let client = ask("/credentials/fruit/login", user: 1001)
        #expect(client.answers.first?.status == 403 && owner.asked.isEmpty)
        client.reset()
    }

    /// Whoever has left takes nobody else's answer.
    @Test func eachGetsItsOwn() throws {
        let clients = (0..<3).map { ask("/credentials/c\($0)/logout") }
        clients[0].reset()
        for asked in owner.asked.reversed() {
            bench.gateway.signInEnded(asked.number, .signedOut(told: asked.request.credential))
        }
        bench.turn()
        #expect(clients[1].answers.first?.text.contains("\"c1\"") == true)
        #expect(clients[2].answers.first?.text.contains("\"c2\"") == true)
        for client in clients[1...] { client.reset() }
        bench.expectQuiet()
    }

    @Test func aFailureIsAProblem() throws {
        let client = ask("/credentials/fruit/login")
        let asked = try #require(owner.asked.first)
        bench.gateway.signInEnded(
            asked.number, .failed(Problem(.credentialUnavailable, detail: "set 'authorize-url:'")))
        bench.turn()
        let answer = try #require(client.answers.first)
        #expect(answer.status == 503 && answer.text.contains("set 'authorize-url:'"))
        client.reset()
        bench.expectQuiet()
    }
}
