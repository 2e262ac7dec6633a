import SluiceContract
import SluiceSigning
import Testing

@testable import SluiceGateway

/// Answers in content codings (`Fetch+Decoding.swift`).
@Suite struct FetchDecodingTests {
    static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json"

    static func bench(
        _ edit: (inout Configuration) -> Void = { _ in }, _ binding: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let typed = try Build.binding("GET /a", to: "fruit /a", value: "[JSON]") {
            $0.parent = FieldPath("values")
            try binding(&$0)
        }
        let raw = try Build.binding("GET /raw", to: "fruit /raw")
        return try Bench(Build.configuration([typed, raw], edit))
    }

    /// - Parameter bytes: of the origin's whole answer.
    static func answer(
        _ bytes: [UInt8], pieces: Int = .max, end: Bool = false, in bench: Bench? = nil,
        _ binding: (inout Binding) throws -> Void = { _ in }
    ) throws -> Message {
        let bench = try bench ?? Self.bench({ _ in }, binding)
        let client = bench.client()
        client.request("GET", "/a")
        let origin = try bench.origin()
        origin.send(bytes, inPiecesOf: pieces)
        if end { origin.endInput() }
        bench.expectQuiet()
        return try #require(client.answers.first)
    }

    static func chunked(_ head: String, _ body: [UInt8], chunks: Int) -> [UInt8] {
        var bytes = Array("\(head)\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(chunks)
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
            rest = rest.dropFirst(chunks)
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }

    @Test(arguments: ContentCoding.allCases, [20, 9_000, 400_000])
    func aCodedAnswerIsCutLikeAPlainOne(_ coding: ContentCoding, _ count: Int) throws {
        let slice = Coded.document(count)
        let body = try Coded.bytes(#"{"values": \#(slice), "total": 1}"#, coding)
        let head = Self.head + "\r\nContent-Encoding: \(coding.rawValue)\r\nETag: \"x\""
        for pieces in [count < 10_000 ? 1 : 4999, 1000, .max] {
            for bytes in [Coded.message(head, body), Self.chunked(head, body, chunks: 3000)] {
                let message = try Self.answer(bytes, pieces: pieces)
                #expect(message.status == 200)
                #expect(message.text == slice)
                #expect(message.isComplete)
                #expect(message["Content-Encoding"] == nil)
                #expect(message["Content-Length"] == "\(slice.utf8.count)")
            }
        }
    }

    /// What has outgrown `hold` streams while it is decoded.
    @Test(arguments: ContentCoding.allCases)
    func aLongAnswerStreams(_ coding: ContentCoding) throws {
        let slice = Coded.document(300_000)
        let body = try Coded.bytes(#"{"values": \#(slice)}"#, coding)
        let head = Self.head + "\r\nContent-Encoding: \(coding.rawValue)"
        for pieces in [777, .max] {
            let message = try Self.answer(Coded.message(head, body), pieces: pieces) { $0.holdBytes = 1000 }
            #expect(message.text == slice)
            #expect(message.isComplete && message.isChunked)
        }
    }

    @Test func theAnswerMayEndWithItsConnection() throws {
        let slice = Coded.document(200_000)
        let body = try Coded.bytes(#"{"values": \#(slice)}"#, .gzip)
        let bytes = Array((Self.head + "\r\nContent-Encoding: gzip\r\n\r\n").utf8) + body
        #expect(try Self.answer(bytes, end: true).text == slice)
    }

    @Test func codingsAreStacked() throws {
        let slice = Coded.document(50_000)
        let body = try Coded.bytes(#"{"values": \#(slice)}"#, .gzip, .brotli)
        for field in ["Content-Encoding: x-gzip, br", "Content-Encoding: gzip\r\nContent-Encoding: BR"] {
            #expect(try Self.answer(Coded.message(Self.head + "\r\n" + field, body)).text == slice)
        }
        let bench = try Self.bench({ $0.limits.contentCodings = 1 })
        let refused = try Self.answer(Coded.message(Self.head + "\r\nContent-Encoding: gzip, br", body), in: bench)
        #expect(refused.status == 502)
        #expect(refused.text.contains("upstream-too-large") && refused.text.contains("content-codings"))
    }

    @Test(
        arguments: [
            ("gzip", 10, [], "ends too early"), ("br", 10, [], "ends too early"), ("zstd", 10, [], "ends too early"),
            ("deflate", 10, [], "ends too early"), ("gzip", 0, [1], "bytes behind its end"),
            ("br", 0, [1], "bytes behind its end"), ("zstd", 0, [1], "bytes behind its end"),
            ("deflate", 0, [1], "bytes behind its end"),
        ] as [(String, Int, [UInt8], String)])
    func aBrokenCodingIsAProtocolProblem(name: String, missing: Int, trailing: [UInt8], reason: String) throws {
        let coding = try #require(ContentCoding(rawValue: name))
        let body = try Coded.bytes(#"{"values": \#(Coded.document(3000))}"#, coding).dropLast(missing) + trailing
        for pieces in [1, .max] {
            let message = try Self.answer(
                Coded.message(Self.head + "\r\nContent-Encoding: \(name)", Array(body)), pieces: pieces)
            #expect(message.status == 502)
            #expect(message.text.contains("upstream-protocol") && message.text.contains(reason), "\(message.text)")
        }
    }

    /// Not even the beginning of a coding has come: no rows, and a document that nobody checks, are not the whole.
    @Test(arguments: ContentCoding.allCases, [true, false])
    func nothingInACodingIsNotTheWhole(_ coding: ContentCoding, isChunked: Bool) throws {
        let rows = try Build.binding("GET /rows", to: "fruit /rows", value: "[JSON]") { $0.rows = RowPolicy(.ndjson) }
        let lines = try Build.binding("GET /lines", to: "fruit /lines", value: "[JSON]") {
            $0.rows = RowPolicy(.ndjson, delivery: .lines)
        }
        let local = try Build.binding("GET /local", to: "fruit /local") {
            $0.localURLs = [try #require(FieldPath("next"))]
        }
        for (target, type) in [("/rows", "x-ndjson"), ("/lines", "x-ndjson"), ("/local", "json")] {
            let bench = try Bench(Build.configuration([rows, lines, local]))
            let client = bench.client()
            client.request("GET", target)
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/\(type)\r\nContent-Encoding: \(coding.rawValue)"
            try bench.origin().send(isChunked ? Self.chunked(head, [], chunks: 1) : Coded.message(head, []))
            let answer = client.answers.first
            if target != "/local" || !isChunked {
                #expect(answer?.status == 502 && answer?.text.contains("ends too early") == true, "\(target)")
            } else {
                // The head may be on its way already.
                #expect(answer?.isComplete != true || answer?.status == 502)
            }
            bench.expectQuiet()
        }
    }

    @Test func whatIsNotCodedAtAllIsSeen() throws {
        let message = try Self.answer(
            Coded.message(Self.head + "\r\nContent-Encoding: gzip", Array(#"{"values": []}"#.utf8)))
        #expect(message.status == 502 && message.text.contains("is damaged"))
    }

    @Test func anUnknownCodingIsAProtocolProblem() throws {
        let message = try Self.answer(Coded.message(Self.head + "\r\nContent-Encoding: compress", [1, 2, 3]))
        #expect(message.status == 502)
        #expect(message.text.contains("upstream-protocol") && message.text.contains("'compress'"))
    }

    @Test(arguments: ContentCoding.allCases)
    func bombsAreDefused(_ coding: ContentCoding) throws {
        let spaces = String(repeating: " ", count: 10_000_000)
        let body = try Coded.bytes(#"{"values": \#(spaces)[]}"#, coding)
        let head = Self.head + "\r\nContent-Encoding: \(coding.rawValue)"
        let bench = try Self.bench()
        let message = try Self.answer(Coded.message(head, body), in: bench)
        #expect(message.status == 502)
        #expect(message.text.contains("upstream-too-large") && message.text.contains("decoded-ratio"))
        // Raised, the same answer is as good as any.
        let generous = try Self.bench({ $0.limits.decodedRatio = 1_000_000 })
        #expect(try Self.answer(Coded.message(head, body), in: generous).text == "[]")
        let small = try Self.bench({
            $0.limits.decodedRatio = 1_000_000
            $0.limits.decodedBytes = 5_000_000
        })
        #expect(try Self.answer(Coded.message(head, body), in: small).text.contains("decoded-body"))
    }

    // MARK: - What is asked for

    @Test(
        arguments: [
            ([.gzip, .deflate, .brotli, .zstd], "gzip, deflate, br, zstd"), ([.zstd], "zstd"), ([], "identity"),
        ] as [([ContentCoding], String)])
    func whatCanBeDecodedIsAskedFor(codings: [ContentCoding], value: String) throws {
        let bench = try Self.bench({ $0.upstreams[0].acceptedCodings = codings })
        try bench.get("/a", "Accept-Encoding: compress", answer: "HTTP/1.1 204 X\r\n\r\n")
        #expect(try bench.forwarded().values("Accept-Encoding") == [value])
        // What passes untouched is between client and upstream.
        try bench.get("/raw", "Accept-Encoding: compress")
        #expect(try bench.forwarded().values("Accept-Encoding") == ["compress"])
        try bench.get("/raw")
        #expect(try bench.forwarded().values("Accept-Encoding") == [])
    }

    @Test func theConfiguredFieldWins() throws {
        let bench = try Self.bench({ $0.upstreams[0].headers = [HeaderSetting(name: "accept-encoding", value: "br")] })
        try bench.get("/a", answer: "HTTP/1.1 204 X\r\n\r\n")
        #expect(try bench.forwarded().values("Accept-Encoding") == ["br"])
    }

    // MARK: - Around it

    @Test func whatPassesUntouchedKeepsItsCoding() throws {
        let body = try Coded.bytes("hello", .gzip)
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw")
        try bench.origin().send(Coded.message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", body))
        #expect(client.answers.first?.body == body)
        #expect(client.answers.first?["Content-Encoding"] == "gzip")
    }

    @Test(arguments: [.gzip, .brotli] as [ContentCoding])
    func anErrorsMessageIsRead(_ coding: ContentCoding) throws {
        let filler = String(repeating: "x", count: 200_000)
        for text in [
            #"{"error": {"message": "no such fruit"}}"#, #"{"error": {"message": "no such fruit"}, "x": "\#(filler)"}"#,
        ] {
            let bench = try Self.bench({ $0.upstreams[0].error = ErrorPaths(message: FieldPath("error.message")) })
            let message = try Self.answer(
                Coded.message("HTTP/1.1 404 X\r\nContent-Encoding: \(coding.rawValue)", try Coded.bytes(text, coding)),
                in: bench)
            #expect(message.status == 404)
            #expect(message.text.contains("no such fruit") == (text.utf8.count < 60_000))
        }
    }

    /// A message that cannot be read is not the end of the error.
    @Test func anErrorSurvivesItsCoding() throws {
        for field in ["Content-Encoding: gzip", "Content-Encoding: compress"] {
            let message = try Self.answer(Coded.message("HTTP/1.1 404 X\r\n\(field)", [1, 2, 3]))
            #expect(message.status == 404 && message.text.contains("upstream-error"))
        }
    }

    /// The token is taken out of a coded answer that passes as it is.
    @Test(arguments: [1, 100, .max])
    func aTokenIsKept(pieces: Int) throws {
        let binding = try Build.binding("POST /in", to: "fruit /in") {
            $0.keep = Binding.Keep(bearer: try #require(FieldPath("token")))
        }
        let bench = try Bench(Build.configuration([binding]))
        let filler = String(repeating: "y", count: 100_000)
        let body = try Coded.bytes(#"{"filler": "\#(filler)", "token": "secret"}"#, .gzip)
        let client = bench.client()
        client.request("POST", "/in", type: "application/json", body: "{}")
        try bench.origin().send(Coded.message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", body), inPiecesOf: pieces)
        #expect(client.answers.first?.body == body)
        #expect(client.answers.first?.isComplete == true)
        var reader = CredentialVault.Reader(try #require(bench.vaults["bearer of fruit"]))
        #expect(reader.current == SecretBytes("secret"))
        bench.expectQuiet()
    }

    /// A connection serves the next exchange, and what was decoded before does not show.
    @Test func connectionsAndDecodersAreUsedAgain() throws {
        let bench = try Self.bench()
        let client = bench.client()
        for round in 0..<6 {
            let slice = Coded.document(5000 + 40_000 * round)
            let coding = ContentCoding.allCases[round % 4]
            client.request("GET", "/a")
            try bench.origin().send(
                Coded.message(
                    Self.head + "\r\nContent-Encoding: \(coding.rawValue)",
                    try Coded.bytes(#"{"values": \#(slice)}"#, coding)))
            #expect(client.answers.last?.text == slice)
        }
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    // MARK: - Slowly

    /// What expands is decoded no faster than it is read.
    @Test func backPressureHoldsBehindTheDecoder() throws {
        let slice = Coded.document(4_000_000)
        let body = try Coded.bytes(#"{"values": \#(slice)}"#, .gzip)
        let bench = try Self.bench({ $0.limits.bufferedBytes = 100_000 }) { $0.holdBytes = 1000 }
        let client = bench.client()
        client.window = 0
        client.request("GET", "/a")
        let origin = try bench.origin()
        origin.send(Coded.message(Self.head + "\r\nContent-Encoding: gzip", body), inPiecesOf: 64 << 10)
        #expect(client.outboxHighWater < 400_000)
        #expect(origin.unreadCount > 0)
        while client.answers.last?.isComplete != true {
            let before = client.reader.byteCount
            client.take(150_000)
            #expect(client.reader.byteCount > before)
            if client.reader.byteCount == before { break }
        }
        #expect(client.answers.first?.text == slice)
        #expect(client.outboxHighWater < 400_000)
        bench.expectQuiet()
    }

    /// The client leaves while its answer is being decoded.
    @Test func aClientMayLeaveInTheMiddle() throws {
        let body = try Coded.bytes(#"{"values": \#(Coded.document(2_000_000))}"#, .zstd)
        let bench = try Self.bench({ $0.limits.bufferedBytes = 100_000 }) { $0.holdBytes = 1000 }
        for window in [0, 200_000, 1_000_000] {
            let client = bench.client()
            client.window = window
            client.request("GET", "/a")
            let origin = try #require(bench.origins.last { !$0.isClosed })
            origin.send(Coded.message(Self.head + "\r\nContent-Encoding: zstd", body))
            client.reset()
            bench.expectQuiet()
        }
    }

    @Test func earlyEndsInTheMiddle() throws {
        let body = try Coded.bytes(#"{"values": [1], "rest": \#(Coded.document(300_000))}"#, .gzip)
        let message = try Self.answer(Coded.message(Self.head + "\r\nContent-Encoding: gzip", body)) { $0.early = true }
        #expect(message.text == "[1]")
    }
}
