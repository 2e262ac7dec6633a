import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Tokens that an answer brings, and that end.
@Suite struct KeptTokenTests {
    private let bench: Bench

    init() throws {
        let keep = Binding.Keep(bearer: try #require(FieldPath("token")), expires: FieldPath("expires_in"))
        bench = try Bench(
            Build.configuration([
                Build.binding("POST /in", to: "fruit /in") { $0.keep = keep },
                Build.binding("GET /me", to: "fruit /me"),
            ]))
    }

    private func signIn(_ answer: String) throws {
        let client = bench.client()
        client.request("POST", "/in", type: "application/json", body: "{}")
        try bench.origin().answer(200, body: answer)
        #expect(client.answers.last?.text == answer)
        client.reset()
    }

    private func ask() -> ClientPeer {
        let client = bench.client()
        client.request("GET", "/me")
        return client
    }

    @Test func afterItsEndRequestsHearWhomToCall() throws {
        try signIn(#"{"token": "one", "expires_in": 60}"#)
        let client = ask()
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        try bench.origin().answer(200, body: "ok")
        bench.advance(by: .seconds(61))
        let late = ask()
        let answer = try #require(late.answers.last)
        #expect(answer.status == 503 && answer.text.contains("sign-in-needed"))
        #expect(answer.text.contains("'POST /in'"))
        #expect(client.answers.last?.text == "ok")
        // What brings the next one goes out, without the one that has ended.
        try signIn(#"{"token": "two", "expires_in": "60"}"#)
        #expect(try bench.forwarded()["Authorization"] == nil)
        _ = ask()
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    /// The wall clock has a say: a date is one of it.
    @Test func anEndThatIsADate() throws {
        try signIn(#"{"token": "one", "expires_in": "1994-11-06T09:00:00Z"}"#)
        _ = ask()
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        try bench.origin().answer(200, body: "ok")
        bench.gateway.date = Array("Sun, 06 Nov 1994 09:00:00 GMT".utf8)
        #expect(ask().answers.last?.status == 503)
        bench.expectQuiet()
    }

    @Test(arguments: ["", #", "expires_in": null"#, #", "expires_in": 0"#, #", "expires_in": {"a": 1}"#])
    func withoutAnEndItIsGoodUntilTheNext(more: String) throws {
        try signIn("{\"token\": \"one\"\(more)}")
        bench.advance(by: .seconds(1_000_000))
        _ = ask()
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        try #require(bench.origins.last).answer(200, body: "ok")
        bench.expectQuiet()
    }
}
