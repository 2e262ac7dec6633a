import SluiceContract
import Testing

@testable import SluiceGateway

// What a default does not stand in for.
extension FetchAnswerTests {
    /// Who has asked for a change has to hear that it failed. Where it was made, the default stands in for an absent
    /// value.
    @Test(
        arguments: [
            ("GET", "{}", 500, 200), ("HEAD", "{}", 500, 200), ("POST", "{}", 500, 500), ("PUT", "{}", 404, 404),
            ("DELETE", "{}", 503, 503), ("POST", #"{"a": "x"}"#, 200, 502), ("POST", "{}", 201, 200),
        ])
    func noDefaultHidesAFailedChange(method: String, document: String, upstream: Int, status: Int) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("ANY /a", to: "fruit /a", value: "Int") {
                    $0.parent = FieldPath("a")
                    $0.defaultJSON = "42"
                }
            ]))
        let answer = try bench.exchange(
            "\(method) /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: Self.json(document, status: upstream))
        #expect(answer.status == status)
        #expect((answer.text == "42") == (status == 200 && method != "HEAD"))
    }

    @Test(arguments: [("GET", 200), ("HEAD", 200), ("OPTIONS", 200), ("POST", 502), ("PUT", 502), ("DELETE", 502)])
    func noDefaultHidesALostChange(method: String, status: Int) throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("ANY /a", to: "fruit /a", value: "Int") { $0.defaultJSON = "42" }]))
        bench.connectsAtOnce = false
        let client = bench.client()
        client.request(method, "/a")
        try bench.origin().refuse()
        #expect(client.answers.first?.status == status)
    }
}
