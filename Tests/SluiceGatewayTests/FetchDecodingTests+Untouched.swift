import SluiceContract
import Testing

@testable import SluiceGateway

// Answers that pass through a binding which has asked for a coding of its own (RFC 9110 §12.5.3).
extension FetchDecodingTests {
    private static let page = String(repeating: "<a href=/b>there</a>\n", count: 500)

    /// A binding whose redirects pass as they come, and an answer in gzip to it.
    private static func moved(
        accepting: String?, codings: ContentCoding..., fields: String = "", pieces: Int = .max, damaged: Bool = false,
        status: Int = 302, _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> ClientPeer {
        let bench = try Self.bench({ _ in }, edit)
        let client = bench.client()
        client.request(
            "GET /a HTTP/1.1\r\nHost: localhost\r\n" + (accepting.map { "Accept-Encoding: \($0)\r\n" } ?? "") + "\r\n")
        var body = try codings.reduce(Array(page.utf8)) { bytes, coding in
            try Coded.bytes(String(decoding: bytes, as: UTF8.self), coding)
        }
        if damaged { body[body.count / 2] ^= 0xFF }
        let name = codings.map(\.rawValue).joined(separator: ", ")
        try bench.origin().send(
            Coded.message("HTTP/1.1 \(status) X\r\nContent-Encoding: \(name)\r\n\(fields)X: y", body),
            inPiecesOf: pieces)
        bench.expectQuiet()
        return client
    }

    @Test(arguments: [nil, "", "identity", "br", "gzip;q=0, *", "*;q=0"] as [String?], [7, 300, .max])
    func nobodyGetsACodingThatItDoesNotTake(accepting: String?, pieces: Int) throws {
        let fields =
            "ETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Digest: a=:bQ==:\r\nRepr-Digest: a=:bQ==:\r\n"
            + "Location: /b\r\n"
        let client = try Self.moved(accepting: accepting, codings: .gzip, fields: fields, pieces: pieces)
        let answer = try #require(client.answers.first)
        #expect(answer.status == 302)
        #expect(answer.text == Self.page)
        #expect(answer.isComplete)
        for name in ["Content-Encoding", "Accept-Ranges", "Content-Digest", "Repr-Digest", "Content-Length"] {
            #expect(answer[name] == nil, "\(name)")
        }
        #expect(answer["Vary"] == "Accept-Encoding")
        #expect(answer["ETag"] == "W/\"a\"")
        #expect(answer["Location"] == "/b")
    }

    @Test(arguments: ["gzip", "br, gzip;q=0.1", "*", "GZIP"])
    func whoTakesItGetsItAsItCame(accepting: String) throws {
        let fields = "ETag: \"a\"\r\nContent-Digest: a=:bQ==:\r\n"
        let answer = try #require(try Self.moved(accepting: accepting, codings: .gzip, fields: fields).answers.first)
        #expect(answer["Content-Encoding"] == "gzip")
        #expect(try Coded.text(answer.body, "gzip") == Self.page)
        #expect(answer["Content-Length"] == "\(answer.body.count)")
        #expect(answer["ETag"] == "\"a\"")
        #expect(answer["Content-Digest"] != nil)
        #expect(answer["Vary"] == "Accept-Encoding")
    }

    /// What is stored is for others, too, who may take no coding.
    @Test func whatIsStoredHasNoCoding() throws {
        let bench = try Self.bench({ _ in }) { $0.cache = CachePolicy() }
        for accepting in ["gzip", "identity"] {
            let client = bench.client()
            client.request("GET", "/a", "Accept-Encoding: \(accepting)")
            if accepting == "gzip" {
                try bench.origin().send(
                    Coded.message(
                        "HTTP/1.1 301 X\r\nCache-Control: max-age=9\r\nContent-Encoding: gzip\r\nLocation: /b",
                        try Coded.bytes(Self.page, .gzip)))
            }
            #expect(client.answers.first?.status == 301)
            #expect(client.answers.first?.text == Self.page)
            #expect(client.answers.first?["Content-Encoding"] == nil)
        }
        #expect(bench.origins.flatMap(\.requests).count == 1)
    }

    /// Types of other statuses make a binding one that reads its answers, too.
    @Test func aStatusWithoutAType() throws {
        let client = try Self.moved(accepting: nil, codings: .zstd, status: 202) {
            $0.value = nil
            $0.valueByStatus = [200: .scalar(.json)]
        }
        #expect(client.answers.first?.status == 202)
        #expect(client.answers.first?.text == Self.page)
    }

    /// What cannot be decoded has begun already: it ends visibly short.
    @Test func damageCutsTheAnswer() throws {
        let client = try Self.moved(accepting: nil, codings: .gzip, damaged: true)
        #expect(client.answers.first?.isComplete != true)
    }

    /// A coding that nobody here knows stays, and says what it is.
    @Test func anUnknownCodingStays() throws {
        let bench = try Self.bench()
        let answer = try bench.get(
            "/a", answer: "HTTP/1.1 302 X\r\nContent-Encoding: compress\r\nContent-Length: 2\r\n\r\nok")
        #expect(answer["Content-Encoding"] == "compress")
        #expect(answer.text == "ok")
    }

    /// A token in such an answer is found all the same.
    @Test func aTokenIsKept() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a") {
                    $0.keep = Binding.Keep(bearer: try #require(FieldPath("token")))
                    $0.valueByStatus = [201: .scalar(.json)]
                },
                try Build.binding("GET /b", to: "fruit /b"),
            ]))
        let client = bench.client()
        client.request("GET", "/a")
        let body = try Coded.bytes(#"{"token": "t0ken"}"#, .gzip)
        try bench.origin().send(Coded.message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", body))
        #expect(client.answers.first?.text == #"{"token": "t0ken"}"#)
        try bench.get("/b")
        #expect(try bench.forwarded()["Authorization"] == "Bearer t0ken")
    }
}
