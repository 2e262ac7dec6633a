import SluiceContract
import Testing

@testable import SluiceGateway

/// Digests of content and signatures over them (RFC 9530, RFC 9421): they stay with the bytes that they were made of.
@Suite struct ContentProofTests {
    static let names = ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Signature", "Signature-Input"]
    static let lines = names.map { "\($0): a=:bQ==:\r\n" }.joined()

    private static func kept(_ fields: [Message.Field]) -> [String] { names.filter { fields.map(\.name).contains($0) } }

    private static func bench(_ edit: (inout Binding) throws -> Void) throws -> Bench {
        try Bench(Build.configuration([try Build.binding("POST /a", to: "fruit /a", edit)]))
    }

    enum Change: CaseIterable, Sendable {
        case none, raw, parameters, body, wrap, form
    }

    /// Head and trailers of a request.
    @Test(arguments: Change.allCases)
    func ofRequests(_ change: Change) throws {
        let bench = try Self.bench { binding in
            switch change {
            case .none: break
            case .raw: binding.body = .raw(mediaType: "application/json")
            case .parameters: binding.parameters = [try Build.parameter("b", "Int", in: .body)]
            case .body: binding.body = .json(.scalar(.json))
            case .wrap:
                binding.body = .json(.scalar(.json))
                binding.wrap = ["w"]
            case .form: binding.body = .form(try Build.object(["b": "Int"]))
            }
            // Longer ones go out in chunks, with their trailers.
            binding.holdBytes = 2
        }
        let (type, body) =
            change == .form ? ("application/x-www-form-urlencoded", "b=1") : ("application/json", #"{"b":1}"#)
        let client = bench.client()
        client.request(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n\(Self.lines)Transfer-Encoding: chunked"
                + "\r\n\r\n\(body.utf8.count)\r\n\(body)\r\n0\r\n\(Self.lines)\r\n")
        let forwarded = try bench.forwarded()
        #expect(forwarded.isComplete)
        let isKept = change == .none || change == .raw
        #expect(Self.kept(forwarded.fields) == (isKept ? Self.names : []))
        #expect(Self.kept(forwarded.trailers) == (isKept ? Self.names : []))
    }

    /// Head and trailers of an answer.
    @Test(arguments: [true, false], [0, 100])
    func ofAnswers(isCut: Bool, hold: Int) throws {
        let bench = try Self.bench {
            if isCut { $0.value = .scalar(.json) }
            $0.holdBytes = hold
        }
        let answer = try bench.exchange(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nTE: trailers\r\nConnection: TE\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 200 OK\r\n\(Self.lines)Transfer-Encoding: chunked\r\n\r\n"
                + "3\r\n[1]\r\n0\r\n\(Self.lines)\r\n")
        #expect(answer.text == "[1]")
        #expect(Self.kept(answer.fields) == (isCut ? [] : Self.names))
        #expect(Self.kept(answer.trailers) == (isCut ? [] : Self.names))
    }

    /// RFC 9110 §15.4.5: a 304 says what a 200 would say, and that speaks of the slice.
    @Test(arguments: [true, false])
    func ofAnswersThatHaveNotChanged(isCut: Bool) throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a", value: isCut ? "JSON" : nil)]))
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let answer = try bench.get(
            "/a", "If-Modified-Since: \(date)",
            answer: "HTTP/1.1 304 X\r\nETag: \"a\"\r\nLast-Modified: \(date)\r\n\(Self.lines)Content-Length: 9\r\n\r\n")
        #expect(answer.status == 304)
        #expect(answer["Last-Modified"] == date)
        #expect(answer["ETag"] == (isCut ? nil : "\"a\""))
        #expect(answer["Content-Length"] == (isCut ? nil : "9"))
        #expect(Self.kept(answer.fields) == (isCut ? [] : Self.names))
    }

    @Test func ofEchoes() throws {
        let bench = try Self.bench {
            $0.body = .json(.scalar(.json))
            $0.answer = .echo
        }
        let client = bench.client()
        client.request("POST", "/a", type: "application/json", body: "[1]")
        try bench.origin().send("HTTP/1.1 201 X\r\n\(Self.lines)Content-Length: 0\r\n\r\n")
        #expect(client.answers.first?.text == "[1]")
        #expect(Self.kept(client.answers.first?.fields ?? []) == [])
    }
}
