import SluiceContract
import Testing

@testable import SluiceGateway

/// `/bindings`, `/configuration`, `/reloads`, `/drift` and `/upstreams` (`AdminSocket+Views.swift`).
@Suite struct AdminSocketViewsTests {
    /// The daemon makes documents when it likes; each finds whom it was made for.
    @Test func documentsComeLater() throws {
        let bench = try AdminBench()
        var asked: [(DaemonDocument, Int)] = []
        bench.bench.gateway.documentMaker = { asked.append(($0, $1)) }
        let clients = ["/bindings", "/configuration", "/reloads"].map { path in
            let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
            client.request("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client
        }
        #expect(asked.map(\.0) == [.bindings, .configuration, .reloads])
        #expect(clients.allSatisfy { $0.answers.isEmpty })
        // Nobody waits for the second any more.
        clients[1].reset()
        for (document, number) in asked.reversed() {
            bench.bench.gateway.documentMade(number, Array(document.rawValue.utf8))
            bench.bench.gateway.documentMade(number, Array("again".utf8))
        }
        bench.bench.turn()
        #expect(clients[0].answers.map(\.text) == ["bindings"] && clients[2].answers.map(\.text) == ["reloads"])
        #expect(clients[0].answers[0]["Content-Type"] == "application/json")
        #expect(clients[0].answers[0]["Cache-Control"] == "no-store")
    }

    @Test func documentsAreBounded() throws {
        let bench = try AdminBench()
        #expect(try bench.ask("/bindings").status == 404, "there is no daemon")
        bench.bench.gateway.documentMaker = { _, _ in }
        let clients = (0..<33).map { _ in
            let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
            client.request("GET /reloads HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client
        }
        #expect(clients.dropLast().allSatisfy { $0.answers.isEmpty })
        #expect(clients.last?.answers.map(\.status) == [503])
    }

    @Test(arguments: [("POST", "/drift", 405), ("GET", "/drift?x=1", 400), ("GET", "/drift", 200)])
    func whatIsAskedIsChecked(_ method: String, _ target: String, _ status: Int) throws {
        let bench = try AdminBench()
        let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        #expect(client.answers.map(\.status) == [status])
        #expect(try bench.ask("/drift", as: PeerCredentials(user: 1001, group: 1001)).status == 403)
    }

    @Test func driftIsTold() throws {
        let route = try Build.binding("GET /a", to: "fruit /a") { $0.value = .array(.scalar(.int)) }
        let bench = try Bench(Build.configuration([route]))
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n[1,\"s3\",null,4]"
        #expect(try bench.get("/a", answer: answer).status == 502)
        let text = try AdminBench(of: bench).ask("/drift").text
        #expect(
            text.contains(
                #""binding":"GET /a","path":"$[]","declared":"Int","found":"string, null","count":2,"#), "\(text)")
        #expect(text.contains(#""proposal":"(Int | String)?"}],"more":0}"#), "\(text)")
        #expect(
            text.contains(#""kind":"fault","answers":1,"share":1,"example":"\"a0\"","cases":[],"#), "\(text)")
        #expect(!text.contains("s3"))
        let admin = AdminBench(of: bench)
        for method in ["GET", "DELETE"] {
            let answer = try admin.ask("/drift?binding=GET%20/b", by: method)
            #expect(answer.status == 404 && answer.text.contains("did you mean 'GET /a'?"), "\(answer.text)")
        }
        #expect(try admin.ask("/drift", by: "DELETE").status == 400, "all of it by mistake")
        #expect(try admin.ask("/drift?binding=GET%20/a", by: "DELETE").text == "{\"forgotten\":1}\n")
        #expect(try admin.ask("/drift").text.contains(#""findings":[]"#))
    }

    /// What loads, and what has failed, until there is an answer.
    @Test func statesAreTold() throws {
        let bench = try AdminBench()
        let client = bench.bench.client()
        client.request("GET", "/fruits?limit=3")
        bench.bench.advance(by: .milliseconds(1500))
        let loading = try bench.ask("/state").text
        #expect(
            loading.contains(#""loading":[{"binding":"GET /fruits","target":"/fruits?limit=3","milliseconds":1500}]"#),
            "\(loading)")
        try bench.bench.origin().send("nonsense\r\n\r\n")
        let failed = try bench.ask("/state").text
        #expect(failed.hasPrefix(#"{"loading":[],"failures":[{"binding":"GET /fruits","#), "\(failed)")
        #expect(failed.contains(#""status":502,"#), "\(failed)")
        try bench.fill("/fruits?limit=3")
        #expect(try bench.ask("/state").text == "{\"loading\":[],\"failures\":[]}\n")
        client.reset()
    }

    @Test func upstreamsAreTold() throws {
        let bench = try AdminBench()
        try bench.bench.get("/plain")
        let text = try bench.ask("/upstreams").text
        #expect(
            text.hasPrefix(
                #"{"upstreams":[{"name":"fruit","endpoints":[{"address":"fruit.example:80","state":"well","loops":1,"#
                    + #""loops_well":1}],"connections":{"idle":"#), "\(text)")
    }
}
