import SluiceContract
import Testing

@testable import SluiceGateway

/// Requests that nobody may forward: each gets a problem and the end of its connection, and neither the request nor
/// what follows it reaches the origin, over a new connection or over one that waits in the pool.
@Suite struct MalformedRequestExam {
    struct Row: Sendable, CustomTestStringConvertible {
        var clause: String
        var status: Int
        var input: String

        init(_ clause: String, _ status: Int, _ input: String) {
            self.clause = clause
            self.status = status
            self.input = input
        }

        /// `POST` with the fields, and what comes behind its head.
        init(_ clause: String, _ status: Int = 400, post fields: String, _ rest: String = "", version: String = "1.1") {
            self.init(clause, status, "POST /raw/a HTTP/\(version)\r\nHost: localhost\r\n\(fields)\r\n\r\n\(rest)")
        }

        /// `GET` with the fields.
        init(_ clause: String, _ status: Int = 400, fields: String) {
            self.init(clause, status, "GET /raw/a HTTP/1.1\r\n\(fields)\r\nHost: localhost\r\n\r\n")
        }

        /// A chunked `POST`.
        init(_ clause: String, _ status: Int = 400, chunks: String) {
            self.init(clause, status, post: "Transfer-Encoding: chunked", chunks)
        }

        /// A request line before a `Host`.
        init(_ clause: String, _ status: Int = 400, line: String) {
            self.init(clause, status, line + "\r\nHost: localhost\r\n\r\n")
        }

        var testDescription: String { clause + " " + input.prefix(120).debugDescription }
    }

    static let smuggled = "GET /raw/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test(arguments: lines + targets + hosts + fields + framing + chunks, [false, true])
    func isRefusedAndNothingIsForwarded(_ row: Row, warm: Bool) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        if warm { try bench.get("/raw/warm") }
        let before = bench.origins.map(\.reader.byteCount)
        let client = bench.client()
        client.expect("GET")
        client.send(row.input + Self.smuggled)
        let answer = try #require(client.answers.first)
        #expect(answer.status == row.status)
        #expect(answer.values("Content-Type") == ["application/problem+json"])
        #expect(answer["Connection"] == "close")
        #expect(answer.isComplete)
        #expect(client.answers.count == 1)
        #expect(client.sawEnd)
        #expect(client.reader.fault == nil)
        #expect(bench.origins.map(\.reader.byteCount).prefix(before.count) == before[...])
        for origin in bench.origins.dropFirst(before.count) { #expect(origin.reader.byteCount == 0) }
        bench.expectQuiet()
    }

    /// Byte by byte a head may have gone out before its body turns bad: then the origin never sees an end.
    @Test(arguments: chunks)
    func aBodyThatTurnsBadNeverEnds(_ row: Row) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.expect("GET")
        client.send(row.input + Self.smuggled, inPiecesOf: 1)
        #expect(client.answers.map(\.status) == [row.status])
        #expect(client.sawEnd)
        for origin in bench.origins {
            #expect(origin.requests.count <= 1)
            #expect(origin.requests.allSatisfy { !$0.isComplete })
            #expect(origin.isClosed)
        }
        bench.expectQuiet()
    }
}
