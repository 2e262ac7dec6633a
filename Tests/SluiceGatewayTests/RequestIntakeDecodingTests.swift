import SluiceContract
import Testing

@testable import SluiceGateway

/// Request bodies in content codings.
@Suite struct RequestIntakeDecodingTests {
    static func bench(
        _ edit: (inout Configuration) -> Void = { _ in }, _ binding: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let json = try Build.binding("POST /a", to: "fruit /a") {
            $0.body = .json(try Build.type("[JSON]"))
            $0.wrap = ["values"]
            try binding(&$0)
        }
        let form = try Build.binding("POST /form", to: "fruit /form") {
            $0.body = .form(try Build.object(["words": "String"]))
        }
        let raw = try Build.binding("POST /raw", to: "fruit /raw")
        return try Bench(Build.configuration([json, form, raw], edit))
    }

    static func request(_ target: String, _ fields: String..., body: [UInt8], type: String = "application/json")
        -> [UInt8]
    {
        Coded.message(
            "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)"
                + fields.map { "\r\n" + $0 }.joined(), body)
    }

    @Test(arguments: ContentCoding.allCases, [10, 9000, 3_000_000])
    func aCodedBodyIsCheckedAndGoesOutPlain(_ coding: ContentCoding, _ count: Int) throws {
        let document = Coded.document(count)
        let body = try Coded.bytes(document, coding)
        for pieces in [count > 10_000 ? 9999 : 1, .max] {
            let bench = try Self.bench()
            let client = bench.client()
            client.expect("POST")
            client.send(Self.request("/a", "Content-Encoding: \(coding.rawValue)", body: body), inPiecesOf: pieces)
            let sent = try bench.forwarded()
            #expect(sent.isComplete)
            #expect(sent["Content-Encoding"] == nil)
            #expect(sent.text == #"{"values":\#(document)}"#)
            try bench.origin().answer(204)
            #expect(client.answers.first?.status == 204)
            bench.expectQuiet()
        }
    }

    /// Past `hold`, it goes on as it is proven, no faster than the upstream takes it.
    @Test func backPressureHoldsBehindTheDecoder() throws {
        let document = Coded.document(4_000_000)
        let bench = try Self.bench({ $0.limits.bufferedBytes = 100_000 }) { $0.holdBytes = 10_000 }
        bench.connectsAtOnce = false
        let client = bench.client()
        client.expect("POST")
        client.send(
            Self.request("/a", "Content-Encoding: br", body: try Coded.bytes(document, .brotli)), inPiecesOf: 64 << 10)
        let origin = try bench.origin()
        origin.window = 0
        origin.connect()
        #expect(origin.outboxHighWater < 400_000)
        while origin.requests.last?.isComplete != true {
            let before = origin.reader.byteCount
            origin.take(150_000)
            if origin.reader.byteCount == before { break }
        }
        #expect(origin.requests.last?.text == #"{"values":\#(document)}"#)
        #expect(origin.outboxHighWater < 400_000)
        origin.answer(204)
        #expect(client.answers.first?.status == 204)
        bench.expectQuiet()
    }

    @Test func aFormIsDecoded() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("POST")
        client.send(
            Self.request(
                "/form", "Content-Encoding: gzip", body: try Coded.bytes("words=a%20b", .gzip),
                type: "application/x-www-form-urlencoded"))
        #expect(try bench.forwarded().text == "words=a%20b")
        #expect(try bench.forwarded()["Content-Encoding"] == nil)
    }

    /// What is not looked into keeps its coding.
    @Test func anUncheckedBodyPasses() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send(Self.request("/raw", "Content-Encoding: compress", body: [1, 2, 3]))
        #expect(try bench.forwarded().body == [1, 2, 3])
        #expect(try bench.forwarded()["Content-Encoding"] == "compress")
    }

    @Test(
        arguments: [
            ("compress", "[1]", 415, "'compress'"), ("gzip, br, gzip", "[1]", 415, "more than 2"),
            ("gzip", "[1]", 400, "is damaged"), ("br", "", 400, "The body is empty"), ("identity", "[1]", 204, ""),
        ])
    func whatCannotBeReadIsRefused(coding: String, body: String, status: Int, reason: String) throws {
        for pieces in [1, .max] {
            let bench = try Self.bench()
            let client = bench.client()
            client.expect("POST")
            client.send(
                Self.request("/a", "Content-Encoding: \(coding)", body: Array(body.utf8)), inPiecesOf: pieces)
            if status == 204 { try bench.origin().answer(204) }
            let message = try #require(client.answers.first)
            #expect(message.status == status)
            #expect(reason.isEmpty || message.text.contains(reason), "\(message.text)")
            // RFC 9110 §12.5.3: so that it may be sent again, in a coding that is taken.
            #expect(message["Accept-Encoding"] == (status == 415 ? "gzip, deflate, br, zstd" : nil))
            bench.expectQuiet()
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func whatIsCutOrTooLongIsRefused(_ coding: ContentCoding) throws {
        let whole = try Coded.bytes(Coded.document(50_000), coding)
        let bomb = try Coded.bytes("[" + String(repeating: " ", count: 5_000_000) + "1]", coding)
        for (body, most, status, reason) in [
            (Array(whole.dropLast()), 1 << 30, 400, "ends too early"), (whole + [0], 1 << 30, 400, "behind its end"),
            (whole, 40_000, 413, "longer"), (bomb, 1 << 30, 413, "decoded-ratio"),
        ] {
            for pieces in [1000, .max] {
                for hold in [1000, 1 << 20] {
                    let bench = try Self.bench({ $0.limits.bodyBytes = most }) { $0.holdBytes = hold }
                    let client = bench.client()
                    client.expect("POST")
                    client.send(
                        Self.request("/a", "Content-Encoding: \(coding.rawValue)", body: body), inPiecesOf: pieces)
                    #expect(client.answers.first?.status == status)
                    #expect(client.answers.first?.text.contains(reason) == true, "\(client.answers)")
                    bench.expectQuiet()
                }
            }
        }
    }

    /// Pipelined: the next request's body does not meet the decoder of the one before.
    @Test func requestsFollowEachOther() throws {
        let bench = try Self.bench()
        let client = bench.client()
        let good = try Coded.bytes(Coded.document(100_000), .gzip)
        var bytes: [UInt8] = []
        for body in [good, Array(good.dropLast()), good, Array("[x]".utf8), good] {
            client.expect("POST")
            bytes += Self.request("/a", "Content-Encoding: gzip", body: body)
        }
        client.send(bytes)
        for _ in 0..<3 { try #require(bench.origins.last { !$0.isClosed }).answer(204) }
        #expect(client.answers.map(\.status) == [204, 400, 204, 400, 204])
        bench.expectQuiet()
    }
}
