import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers of upstreams that could be read in two ways: a 502 for the client, and a connection that nobody uses again.
@Suite struct MalformedAnswerExam {
    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        var answer: String
        var method = "GET"

        init(_ clause: String, _ answer: String, to method: String = "GET") {
            self.clause = clause
            self.answer = answer
            self.method = method
        }

        /// A status line before a head with `ok` behind it.
        init(_ clause: String, line: String) {
            self.init(clause, line + "\r\nContent-Length: 2\r\n\r\nok")
        }

        /// Fields of a 200 with `ok` behind them.
        init(_ clause: String, fields: String) {
            self.init(clause, "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nok")
        }

        var testDescription: String { clause + " " + answer.prefix(120).debugDescription }
    }

    @Test(arguments: lines + fields + framing, [nil, "JSON"])
    func isA502(_ row: Row, value: String?) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**", value: value)]))
        let client = bench.client()
        client.request(row.method, "/raw/a")
        let origin = try bench.origin()
        origin.send(row.answer)
        origin.endInput()
        #expect(client.answers.map(\.status) == [502])
        #expect(client.answers.first?.values("Content-Type") == ["application/problem+json"])
        if row.method != "HEAD" { #expect(client.answers.first?.text.contains("upstream-protocol") == true) }
        #expect(client.answers.first?.isComplete == true)
        #expect(client.reader.interim.allSatisfy { $0.status != 101 })
        #expect(!client.isClosed, "the fault is not the client's")
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// RFC 9112 §6.3: what comes behind an answer is no part of it, and of no other: the answer is passed on as it was
    /// announced, and nobody uses the connection again.
    @Test(arguments: surplus)
    func surplusIsDropped(_ row: Row) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request(row.method, "/raw/a")
        let origin = try bench.origin()
        origin.send(row.answer)
        let status = Int(row.answer.dropFirst(9).prefix(3))
        #expect(client.answers.map(\.status) == [status])
        #expect(client.answers.first?.text == (row.method == "GET" && status == 200 ? "ok" : ""))
        #expect(client.answers.first?.isComplete == true)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// RFC 9112 §6.3, §8, §9.8: an answer that was cut short looks cut short.
    @Test(
        arguments: [
            "Content-Length: 5\r\n\r\nok", "Transfer-Encoding: chunked\r\n\r\n5\r\nok",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: a\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nrubbish\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n-1\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX : a\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n",
        ], ["HTTP/1.1", "HTTP/1.0"])
    func aCutAnswerLooksCut(rest: String, version: String) throws {
        for isReset in [false, true] {
            let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
            let client = bench.client()
            client.request("GET /raw/a \(version)\r\nHost: localhost\r\n\r\n")
            let origin = try bench.origin()
            origin.send("HTTP/1.1 200 OK\r\n" + rest)
            if isReset { origin.reset() } else { origin.endInput() }
            #expect(client.answers.allSatisfy { $0.status == 200 && !$0.isComplete })
            // Without chunks the end of the connection is the end of the answer: only a reset is none.
            let isDelimitedByClose = version == "HTTP/1.0" && rest.hasPrefix("Transfer-Encoding")
            #expect(isDelimitedByClose ? client.sawReset : client.sawEnd && client.answers.count == 1)
            #expect(origin.isClosed)
            bench.expectQuiet()
        }
    }

    /// RFC 9112 §8: nothing of it came, or not enough to tell what it is.
    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.1 103 X\r\n\r\n",
    ])
    func aHeadThatNeverEnds(answer: String) throws {
        for isReset in [false, true] {
            let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
            let client = bench.client()
            client.request("GET", "/raw/a")
            let origin = try bench.origin()
            origin.send(answer)
            if isReset { origin.reset() } else { origin.endInput() }
            #expect(client.answers.map(\.status) == [502])
            #expect(!client.isClosed)
            bench.expectQuiet()
        }
    }

    /// RFC 9112 §6.3, §9.3: what follows a complete answer is nobody's, and the connection is not used again.
    @Test(
        arguments: [
            ("Content-Length: 2\r\n\r\nok", "GET"), ("Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "GET"),
            ("Content-Length: 2\r\n\r\n", "HEAD"), ("Content-Length: 0\r\n\r\n", "GET"),
        ])
    func bytesBehindAnAnswerReachNobody(rest: String, method: String) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request(method, "/raw/a")
        let first = try bench.origin()
        first.send("HTTP/1.1 200 OK\r\n" + rest)
        #expect(client.answers.last?.isComplete == true)
        first.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
        #expect(first.isClosed)
        client.request("GET", "/raw/b")
        try bench.origin().answer(200, body: "fine")
        #expect(client.answers.last?.text == "fine")
        bench.expectQuiet()
    }
}
