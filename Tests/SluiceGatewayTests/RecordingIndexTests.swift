import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What was recorded answers in the place of upstreams.
@Suite struct RecordingIndexTests {
    private static func exchange(
        _ method: String = "GET", _ target: String, _ body: String, status: Int = 200, number: Int = 1,
        sent: String = "", _ edit: (inout RecordedExchange) -> Void = { _ in }
    ) -> RecordedExchange {
        var exchange = RecordedExchange(upstream: "fruit", method: method, target: target, status: status)
        (exchange.body, exchange.requestBody) = (Array(body.utf8), Array(sent.utf8))
        exchange.number = number
        edit(&exchange)
        return exchange
    }

    private static func bench(
        _ exchanges: [RecordedExchange], missing: Recordings.Missing = .problem, key: String = "GET /a",
        tokens: [String: String] = [:], _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding(key, to: "fruit /a", value: "Int") {
            $0.unknownParameters = .pass
            try edit(&$0)
        }
        var recordings = Recordings(exchanges, digest: "1")
        recordings.missing = missing
        return try Bench(Build.configuration([binding]) { $0.fixtures = .replay(recordings) }, tokens: tokens)
    }

    /// Files of a folder come in the order of their names, in which 10 stands before 2.
    @Test func eachAnswerInItsTurn() throws {
        let bench = try Self.bench([10, 1, 2].map { Self.exchange("GET", "/v1/a", "\($0)", number: $0) })
        #expect(try (0..<4).map { _ in try bench.get("/a").text } == ["1", "2", "10", "10"])
        #expect(bench.origins.isEmpty)
    }

    @Test func aMissShowsTheNearest() throws {
        let bench = try Self.bench([
            Self.exchange("GET", "/v1/b?n=1", "1"), Self.exchange("GET", "/v1/a?n=1", "1"),
            Self.exchange("POST", "/v1/a?n=2", "1"),
        ])
        let miss = try bench.get("/a?n=2&token=secret")
        #expect(miss.status == 501)
        #expect(miss.text.contains("'GET /v1/a?n=2&token=***' of 'fruit' was not recorded"), "\(miss.text)")
        #expect(miss.text.contains("the nearest is 'GET /v1/a?n=1' of 'fruit', with another target"), "\(miss.text)")
    }

    /// What is left out by its name is not compared: not in a query, not in a form, not in JSON.
    @Test func whatIsLeftOutIsNotCompared() throws {
        let form = Self.exchange("POST", "/v1/a?mail=***", "1", sent: "mail=***&n=1&password=***") {
            $0.leftOut = ["mail"]
        }
        let json = Self.exchange("POST", "/v1/a", "2", sent: #"{"mail":"***","n":1}"#)
        let bench = try Self.bench([form, json], key: "POST /a")
        let client = bench.client()
        client.request(
            "POST", "/a?mail=a", type: "application/x-www-form-urlencoded", body: "mail=fig&n=1&password=abc")
        #expect(client.answers.last?.text == "1")
        client.request("POST", "/a", type: "application/json", body: #"{"mail":"fig","n":1}"#)
        #expect(client.answers.last?.text == "2")
        client.request("POST", "/a", type: "application/json", body: #"{"mail":"fig","n":2}"#)
        #expect(client.answers.last?.text.contains("with another body") == true)
    }

    /// Requests that differ in what only sounds like a credential are different ones, where the recording says so; what
    /// was recorded without that is found as well.
    @Test func whatIsComparedTellsRequestsApart() throws {
        let kept = ["name", "size"].map { value in
            Self.exchange("GET", "/v1/a?sort_key=\(value)", value == "name" ? "1" : "2") { $0.compared = ["sort_key"] }
        }
        let bench = try Self.bench(kept + [Self.exchange("GET", "/v1/a?sort_key=***&n=1", "3")])
        #expect(try bench.get("/a?sort_key=size").text == "2")
        #expect(try bench.get("/a?sort_key=name").text == "1")
        #expect(try bench.get("/a?sort_key=color&n=1").text == "3")
        #expect(try bench.get("/a?sort_key=color").text.contains("the nearest is 'GET /v1/a?sort_key="))
    }

    /// A form is the same with and without the end of a line.
    @Test func aFormIsFoundAgain() throws {
        let bench = try Self.bench(
            [Self.exchange("POST", "/v1/a", "1", sent: "n=1&password=***")], key: "POST /a")
        let client = bench.client()
        client.request(
            "POST", "/a", type: "application/x-www-form-urlencoded", body: "n=1&password=hunter2\n")
        #expect(client.answers.last?.text == "1")
    }

    /// Times are moved to now, so that an answer is as fresh as it was.
    @Test func datesAreMoved() throws {
        let bench = try Self.bench([
            Self.exchange("GET", "/v1/a", "1") {
                $0.fields = [
                    HeaderSetting(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
                    HeaderSetting(name: "Expires", value: "Sun, 06 Nov 1994 08:50:37 GMT"),
                    HeaderSetting(name: "Last-Modified", value: "Sun, 06 Nov 1994 08:00:00 GMT"),
                ]
            }
        ]) { $0.cache = CachePolicy() }
        let first = try bench.get("/a")
        #expect(first.values("Last-Modified") == ["Sun, 06 Nov 1994 08:00:00 GMT"])
        bench.advance(by: .seconds(50))
        #expect(try bench.get("/a").values("Cache-Status").first?.contains("hit") == true)
        bench.advance(by: .seconds(20))
        #expect(try bench.get("/a").values("Cache-Status").first?.contains("hit") == false)
    }

    // MARK: - What was not recorded is asked for

    @Test func aMissIsAskedFor() throws {
        let bench = try Self.bench([Self.exchange("GET", "/v1/a?n=1", "1")], missing: .live)
        #expect(try bench.get("/a?n=1").text == "1")
        #expect(bench.origins.isEmpty)
        #expect(try bench.get("/a?n=2", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2").text == "2")
    }

    /// As often as the binding says, and no more.
    @Test func whatIsAskedForIsRetried() throws {
        let bench = try Self.bench([Self.exchange("GET", "/v1/b", "1")], missing: .live) {
            $0.retry = RetryPolicy()
            $0.retry?.attempts = 2
        }
        let client = bench.client()
        client.request("GET", "/a")
        for _ in 0..<2 {
            #expect(client.answers.isEmpty)
            try bench.origin().send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
            bench.advance(by: .seconds(2))
        }
        #expect(client.answers.first?.status == 503)
        #expect(bench.origins.reduce(0) { $0 + $1.requests.count } == 2)
    }

    /// A request that lacks a value of its own goes nowhere.
    @Test func nothingIsAskedWithoutItsSecrets() throws {
        let bench = try Self.bench([Self.exchange("GET", "/v1/b", "1")], missing: .live) {
            $0.headers = [HeaderSetting(name: "X-Key", .secret(.env("NOWHERE")))]
        }
        let answer = try bench.get("/a")
        #expect(answer.text.contains("could not be read from variable 'NOWHERE'"), "\(answer.text)")
        #expect(bench.origins.isEmpty)
    }
}
