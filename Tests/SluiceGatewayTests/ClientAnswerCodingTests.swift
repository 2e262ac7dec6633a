import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that go out in a content coding (`compress:`).
@Suite struct ClientAnswerCodingTests {
    static func bench(
        _ compression: Compression? = Compression(), hold: Int = 1 << 20,
        _ edit: (inout Configuration) -> Void = { _ in }
    ) throws -> Bench {
        let typed = try Build.binding("GET|HEAD /a", to: "fruit /a", value: "JSON") {
            $0.compression = compression
            $0.holdBytes = hold
        }
        return try Bench(Build.configuration([typed], edit))
    }

    static func answer(_ document: String, _ accept: String?, method: String = "GET", in bench: Bench) throws -> Message
    {
        let client = bench.client()
        if let accept { client.request(method, "/a", accept) } else { client.request(method, "/a") }
        let origin = try #require(bench.origins.last { !$0.isClosed })
        origin.answer(200, "ETag: \"x\"", "Vary: Origin", body: document)
        let message = try #require(client.answers.first)
        client.reset()
        bench.expectQuiet()
        return message
    }

    @Test(
        arguments: [
            ("gzip", "gzip"), ("br", "br"), ("zstd", "zstd"), ("gzip, br;q=0.5, zstd;q=0.1", "gzip"), ("*", "zstd"),
        ],
        [2000, 60_000, 900_000, 3_000_000])
    func anAnswerIsCodedAsTheClientLikes(accept: (String, String), count: Int) throws {
        let document = Coded.document(count)
        let message = try Self.answer(document, "Accept-Encoding: \(accept.0)", in: try Self.bench())
        #expect(message.values("Content-Encoding") == [accept.1])
        #expect(message["Vary"] == "Origin, Accept-Encoding")
        #expect(message.isComplete)
        #expect(message.bodyCount < count / 2)
        #expect(try Coded.text(message.body, accept.1) == document)
    }

    @Test(arguments: [nil, "Accept-Encoding:", "Accept-Encoding: compress", "Accept-Encoding: identity, *;q=0"])
    func itGoesOutPlainWhereNobodyAsks(accept: String?) throws {
        let document = Coded.document(3000)
        let message = try Self.answer(document, accept, in: try Self.bench())
        #expect(message["Content-Encoding"] == nil)
        #expect(message["Vary"] == "Origin, Accept-Encoding")
        #expect(message["Content-Length"] == "\(document.utf8.count)")
        #expect(message.text == document)
    }

    @Test func whereItIsNotConfiguredNothingChanges() throws {
        let document = Coded.document(3000)
        let message = try Self.answer(document, "Accept-Encoding: gzip", in: try Self.bench(nil))
        #expect(message["Content-Encoding"] == nil && message["Vary"] == "Origin")
        #expect(message.text == document)
    }

    /// What is short stays as it is, but for those who insist.
    @Test func aShortAnswerIsNotWorthIt() throws {
        let plain = try Self.answer("[1]", "Accept-Encoding: gzip", in: try Self.bench())
        #expect(plain["Content-Encoding"] == nil && plain.text == "[1]")
        let insisted = try Self.answer("[1]", "Accept-Encoding: gzip, identity;q=0", in: try Self.bench())
        #expect(insisted["Content-Encoding"] == "gzip")
        #expect(try Coded.text(insisted.body, "gzip") == "[1]")
    }

    /// Nothing fits: RFC 9110 §12.5.3 leaves a 406 or an answer that may not be read; this one may.
    @Test func whoeverTakesNothingGetsItPlain() throws {
        let message = try Self.answer("[1]", "Accept-Encoding: compress, identity;q=0", in: try Self.bench())
        #expect(message.status == 200 && message["Content-Encoding"] == nil && message.text == "[1]")
    }

    /// RFC 9110 §9.3.2: the fields are those of GET.
    @Test func anAnswerToHeadIsEmpty() throws {
        let bench = try Self.bench()
        let message = try Self.answer(Coded.document(3000), "Accept-Encoding: gzip", method: "HEAD", in: bench)
        #expect(message["Content-Encoding"] == "gzip" && message.bodyCount == 0)
    }

    /// A late fault shows in a coded answer too.
    @Test func aLateFaultIsSeen() throws {
        let bench = try Self.bench(hold: 1000)
        let client = bench.client()
        client.request("GET", "/a", "Accept-Encoding: gzip")
        let body = Array(Coded.document(200_000).utf8).dropLast() + [UInt8(ascii: "}")]
        try bench.origin().send(Coded.message("HTTP/1.1 200 OK", Array(body)), inPiecesOf: 50_000)
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?.isComplete == false)
        #expect(client.isClosed)
        bench.expectQuiet()
    }

    @Test func backPressureHoldsBehindTheCoder() throws {
        // Digits that do not repeat: there is something to wait for.
        var generator = SeededGenerator(seed: 7)
        let document =
            "["
            + (0..<200_000).map { _ in String(UInt64.random(in: 0...(.max), using: &generator)) }.joined(separator: ",")
            + "]"
        let bench = try Self.bench(hold: 1000) { $0.limits.bufferedBytes = 100_000 }
        let client = bench.client()
        client.window = 0
        client.request("GET", "/a", "Accept-Encoding: zstd")
        let origin = try bench.origin()
        origin.send(
            Coded.message("HTTP/1.1 200 OK", Array(document.utf8)), inPiecesOf: 64 << 10)
        #expect(client.outboxHighWater < 300_000)
        #expect(origin.unreadCount > 0)
        while client.answers.last?.isComplete != true {
            let before = client.reader.byteCount
            client.take(60_000)
            if client.reader.byteCount == before { break }
        }
        #expect(try Coded.text(client.answers[0].body, "zstd") == document)
        bench.expectQuiet()
    }

    /// The client leaves while its answer is being coded.
    @Test func aClientMayLeaveInTheMiddle() throws {
        for window in [0, 10_000, 100_000] {
            let bench = try Self.bench(hold: 10 << 20) { $0.limits.bufferedBytes = 1000 }
            let client = bench.client()
            client.window = window
            client.request("GET", "/a", "Accept-Encoding: gzip")
            try bench.origin().answer(200, body: Coded.document(3_000_000))
            client.reset()
            bench.expectQuiet()
        }
    }

    /// Both at once: decoded on the way in, coded on the way out.
    @Test func oneCodingIsTurnedIntoAnother() throws {
        let document = Coded.document(1_500_000)
        let bench = try Self.bench(hold: 100_000)
        let client = bench.client()
        client.request("GET", "/a", "Accept-Encoding: br")
        try bench.origin().send(
            Coded.message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", try Coded.bytes(document, .gzip)),
            inPiecesOf: 50_000)
        let message = try #require(client.answers.first)
        #expect(message.values("Content-Encoding") == ["br"] && message.isComplete)
        #expect(try Coded.text(message.body, "br") == document)
        bench.expectQuiet()
    }
}
