import SluiceContract
import Testing

@testable import SluiceGateway

// Literals, sets that may grow, and constraints, from an upstream's answer and from a client's request.
extension FetchAnswerTests {
    @Test(arguments: [
        ("1 | 2", "2", 200, ""), ("1 | 2", "3", 502, "1 | 2"), ("true", "false", 502, "bool false"),
        ("Int(1...100)", "100", 200, ""), ("Int(1...100)", "101", 502, "Int(1...100)"),
        ("String(1...3)", #""äöü""#, 200, ""), ("String(1...3)", #""äöüß""#, 502, "String(1...3)"),
        ("String(/^[a-z]+$/)", #""ab1""#, 502, "String(/^[a-z]+$/)"), ("[Int](0...2)", "[1,2]", 200, ""),
        ("[Int](0...2)", "[1,2,3]", 502, "array of 3"), ("[Int](...9, unique)", "[1,2,1]", 502, "number 1 again"),
        ("Decimal(string)", #""1.50""#, 200, ""), ("Decimal(string)", #""1.5x""#, 502, "Decimal(string)"),
    ])
    func constrainedAnswers(type: String, document: String, status: Int, text: String) throws {
        for pieces in [1, .max] {
            let client = try Self.answer(Self.json(document), pieces: pieces) {
                $0.value = try Build.type(type)
            }
            #expect(client.answers.first?.status == status)
            #expect(client.answers.first?.text.contains(status == 200 ? document : text) == true)
        }
    }

    @Test(arguments: [
        ("Date(seconds) -> Date", "1714564800", #""2024-05-01T12:00:00Z""#), ("Int(string) -> Int", #""42""#, "42"),
        ("[Int -> String]", "[1, 2]", #"["1", "2"]"#),
    ])
    func convertedAnswers(type: String, document: String, value: String) throws {
        for pieces in [1, .max] {
            let client = try Self.answer(Self.json(document), pieces: pieces) { $0.value = try Build.type(type) }
            #expect(client.answers.first?.text == value)
            #expect(client.answers.first?["Content-Length"] == "\(value.utf8.count)")
        }
    }

    /// What a set does not have yet passes, and is counted.
    @Test func openSetsAreCounted() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a") { $0.value = try Build.type("[red | green | …]") }
            ]))
        let document = #"["red","blue","green","blue"]"#
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(Self.json(document))
        #expect(client.answers.first?.text == document)
        #expect(bench.gateway.counters.drift == 2)
    }

    @Test(arguments: [
        ("Int(1...100)", "7", true), ("Int(1...100)", "0", false), ("String(/^[a-z]+$/)", "abc", true),
        ("String(/^[a-z]+$/)", "a1", false), ("String(2)", "%C3%A4%C3%B6", true), ("String(2)", "a", false),
        ("1 | 2", "2", true), ("1 | 2", "3", false), ("red | …", "blue", true), ("[Int](1...2)", "1&p=2", true),
        ("[Int](1...2)", "1&p=2&p=3", false), ("[Int](...5, unique)", "1&p=1", false), ("true", "true", true),
        ("Decimal(string)", "1.5", true), ("Decimal(string)", "x", false),
    ])
    func constrainedParameters(type: String, value: String, isRight: Bool) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a") {
                    $0.parameters = [Parameter(name: "p", location: .query, type: try Build.type(type))]
                }
            ]))
        let client = bench.client()
        client.request("GET", "/a?p=\(value)")
        #expect(bench.origins.isEmpty == !isRight)
        if !isRight { #expect(client.answers.first?.status == 400) }
    }

    /// A list that has to hold something is not left out.
    @Test func listsThatMayNotBeEmptyAreRequired() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a") {
                    $0.parameters = [Parameter(name: "p", location: .query, type: try Build.type("[Int](1...2)"))]
                }
            ]))
        let client = bench.client()
        client.request("GET", "/a")
        #expect(client.answers.first?.status == 400)
    }

    @Test(arguments: [(#"{"n":5,"s":"ab"}"#, 201), (#"{"n":6,"s":"ab"}"#, 400), (#"{"n":5,"s":"AB"}"#, 400)])
    func constrainedBodies(body: String, status: Int) throws {
        let bench = try RequestBodyTests.bench {
            $0.body = .json(.object(try Build.object(["n": "Int(1...5)", "s": "String(/^[a-z]+$/)"])))
        }
        let answer = try bench.exchange(
            RequestBodyTests.request(body, type: "application/json"),
            answer: "HTTP/1.1 201 X\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == status)
    }
}
