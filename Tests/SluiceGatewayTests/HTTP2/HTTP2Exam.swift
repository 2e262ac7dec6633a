import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// The exams of HTTP/1.1 once more, as far as HTTP/2 can say the same: what is forwarded does not depend on how the
/// client asks.
@Suite struct HTTP2Exam {
    static let requests = (ForwardedRequestExam.targets + ForwardedRequestExam.fields + ForwardedRequestExam.framing)
        .filter { Request($0.input) != nil && !$0.expected.sees.contains { $0.hasPrefix("Via") } }
    static let answers = (ForwardedAnswerExam.fields + ForwardedAnswerExam.framing)
        .filter { Request($0.request) != nil }

    @Test func mostRowsMakeSense() {
        #expect(Self.requests.count > 15)
        #expect(Self.answers.count > 15)
    }

    @Test(arguments: requests, [1, 7, .max])
    func requestsAreForwardedAsOverHTTP1(_ row: ForwardedRequestExam.Row, pieces: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        let request = try #require(Request(row.input))
        client.send(request.frames(1), inPiecesOf: pieces)
        let seen = try bench.forwarded()
        let origin = try bench.origin()
        row.expected.check(seen, origin)
        #expect(seen.values("Via").last?.hasSuffix("2 sluice") == true)
        origin.answer(200, body: "ok")
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    @Test(arguments: answers, [1, 7, .max])
    func answersAreForwardedAsOverHTTP1(_ row: ForwardedAnswerExam.Row, pieces: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        client.send(try #require(Request(row.request)).frames(1))
        let origin = try bench.origin()
        origin.send(row.answer, inPiecesOf: pieces)
        origin.endInput()
        #expect(client.answer(1).resetCode == nil)
        var expected = row.expected
        // What frames a message and what is of one hop, HTTP/2 says in frames (RFC 9113 §8.2.2).
        let framing = ["connection", "transfer-encoding"]
        expected.lacks += framing
        expected.sees.removeAll { line in framing.contains { line.lowercased().hasPrefix($0) } }
        expected.trailers = expected.trailers.map(Self.lowerName)
        expected.check(Message(client.answer(1)))
        bench.expectQuiet()
    }

    /// Answers that nobody can read are problems, and those that break off are reset.
    @Test(arguments: MalformedAnswerExam.lines + MalformedAnswerExam.fields + MalformedAnswerExam.framing)
    func malformedAnswersAreNotForwarded(_ row: MalformedAnswerExam.Row) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = HTTP2Client(bench)
        client.send(HTTP2Wire.request(1, row.method, "/raw/a"))
        let origin = try bench.origin()
        origin.send(row.answer)
        origin.endInput()
        let seen = client.answer(1)
        #expect(seen.status == 502 || seen.resetCode == 2)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// `Upgrade` and `Connection` are for HTTP/1.1, whoever says them (RFC 9113 §8.2.2).
    @Test(arguments: [nil, "JSON"] as [String?])
    func a426NamesNoProtocol(value: String?) throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a", value: value)]))
        let client = HTTP2Client(bench)
        client.send(HTTP2Wire.request(1, "GET", "/a"))
        try bench.origin().send("HTTP/1.1 426 X\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n")
        let seen = client.answer(1)
        #expect(seen.status == 426)
        #expect(seen["upgrade"] == nil)
        #expect(seen["connection"] == nil)
    }

    private static func lowerName(_ line: String) -> String {
        line.prefix { $0 != ":" }.lowercased() + line.drop { $0 != ":" }
    }
}

extension HTTP2Exam {
    /// A request of HTTP/1.1 in the words of HTTP/2.
    struct Request {
        var method: String
        var target: String
        var authority = ""
        var fields: HTTP2Wire.Fields = []
        var content: String

        /// nil where it says what HTTP/2 has no words for.
        init?(_ text: String) {
            guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
            let lines = text[..<end.lowerBound].split(separator: "\r\n", omittingEmptySubsequences: false)
            let words = (lines.first ?? "").split(separator: " ")
            guard words.count == 3, words[2] == "HTTP/1.1", words[1].hasPrefix("/") else { return nil }
            method = String(words[0])
            target = String(words[1])
            content = String(text[end.upperBound...])
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let name = line[..<colon].lowercased()
                let value = Self.trimmed(line[line.index(after: colon)...])
                switch name {
                case "host": authority = value
                case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te": return nil
                default: fields.append((name, value))
                }
            }
        }

        private static func trimmed(_ text: Substring) -> String {
            let start = text.drop { $0 == " " || $0 == "\t" }
            return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }

        func frames(_ stream: Int) -> [UInt8] {
            HTTP2Wire.request(stream, method, target, fields, authority: authority, end: content.isEmpty)
                + (content.isEmpty ? [] : HTTP2Wire.data(stream, content, end: true))
        }
    }
}
