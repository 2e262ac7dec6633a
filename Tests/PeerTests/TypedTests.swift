import Foundation
import Testing

/// Values cut out of answers as real APIs give them, verbatim, and checked.
@Suite struct TypedTests {
    static let types = """
        types:
          Actor: {id: Int, login: String, url: URL}
          Event:
            id: String
            type: push | fork | watch
            actor: Actor
            created_at: Date
            public: Bool
            payload: JSON
            org: Actor?
            score: Decimal
          Wrong: {id: Int, actor: {login: Int}}
        """

    private func answer(_ binding: String, body: String = EventsPage.json) throws -> HTTPResponse {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let origin = try ScriptedOrigin(answering: head + body)
        defer { origin.end() }
        let gateway = try Daemon(
            """
            upstreams:
              events: {url: "\(origin.url)"}
            \(Self.types)
            bindings:
              GET /a:
                to: events /events
            \(binding.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            """)
        defer { gateway.end() }
        return try gateway.get("/a")
    }

    private func json(_ response: HTTPResponse) throws -> NSObject {
        let value = try JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)
        return try #require(value as? NSObject)
    }

    @Test func theSliceIsVerbatim() throws {
        let response = try answer("parent: data.items\nvalue: [Event]")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.isComplete)
        #expect(response["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(!response.text.isEmpty)
        #expect(EventsPage.json.contains(response.text), "not a range of the upstream's own bytes")
        #expect(response.text.hasPrefix("["))
        #expect(response.text.hasSuffix("]"))
    }

    @Test func anIndexTakesOneElement() throws {
        let response = try answer("parent: data.items.1\nvalue: Event")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(#""id": "1652857721""#))
        #expect(!response.text.contains("1652857722"))
    }

    @Test func aStarCollects() throws {
        let response = try answer("parent: data.items.*.actor.login\nvalue: [String]")
        #expect(try json(response) == ["ada-l", "grace-h", "ken-t"] as NSArray)
    }

    @Test func aDictionaryIsChecked() throws {
        let response = try answer("parent: data.limits\nvalue: {\"*\": Int}")
        #expect(try json(response) == ["core": 60, "search": 10] as NSDictionary)
    }

    @Test func everyFaultIsTold() throws {
        let response = try answer("parent: data.items\nvalue: [Wrong]")
        let faults = try response.expectProblem(.typeMismatch).faults ?? []
        #expect(faults.map(\.name).contains("$.data.items[2].actor.login"), "\(faults)")
        let fault = try #require(faults.first { $0.name == "$.data.items[0].id" }, "\(faults)")
        #expect(fault.expected == "Int")
        #expect(fault.found.contains("1652857722"))
    }

    @Test func anAbsentValueIsTold() throws {
        try answer("parent: data.nothing\nvalue: [Event]").expectProblem(.missingValue)
    }

    @Test func aDefaultStandsInForAnAbsentValue() throws {
        let response = try answer("parent: data.nothing\nvalue: [Event]\ndefault: []\nserve: [fresh, default, error]")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text == "[]")
    }

    @Test func undeclaredKeysAreDroppedWhereAsked() throws {
        let response = try answer("parent: data.items.0.actor\nvalue: Actor\nunknown: drop")
        let keys = (try json(response) as? NSDictionary)?.allKeys as? [String] ?? []
        #expect(Set(keys) == ["id", "login", "url"])
    }

    /// RFC 8259: what only looks like JSON is none.
    @Test(arguments: ["{\"data\": [1, 2", "[1,]", "{\"data\": 01}", "nonsense", ""])
    func whatIsNotJSONIsAProblem(_ body: String) throws {
        let problem = try answer("parent: data\nvalue: [Int]", body: body)
        #expect(problem.status == 502)
        #expect(problem["Content-Type"] == "application/problem+json")
    }
}
