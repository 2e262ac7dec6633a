import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// A fetch for a consumer that is neither an exchange nor a cache fill.
@Suite struct FetchConsumerTests {
    private static func bench(
        _ type: String? = nil, endpoints: Int = 1, _ edit: (inout Binding) throws -> Void = { _ in },
        upstream: (inout Upstream) -> Void = { _ in }
    ) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("ANY /a/**", to: "fruit /**", value: type, edit)],
                upstreams: [
                    Build.upstream {
                        $0.alternates = (1..<endpoints).map { .tcp(host: "fruit\($0).example", port: 80, tls: false) }
                        $0.retryBudget.perSecond = 100
                        upstream(&$0)
                    }
                ]))
    }

    // MARK: - What passes through

    @Test(arguments: 1...4) func anAnswerPasses(size: Int) throws {
        let bench = try Self.bench()
        let taker = bench.fetch()
        #expect(try bench.forwarded().startLine == "GET /v1/x HTTP/1.1")
        try bench.origin().send(
            "HTTP/1.1 201 Created\r\nX-A: b\r\nContent-Length: 5\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\nhello",
            inPiecesOf: size * 11)
        #expect(taker.heard == ["head 5", "body", "end"])
        #expect(taker.status == 201 && taker.text == "hello")
        #expect(taker["X-A"] == "b" && taker["X-Hop"] == nil && taker["Via"] == "1.1 sluice")
        #expect(taker.fetch == nil)
        bench.expectQuiet()
    }

    @Test func interimAnswersAndTrailersPass() throws {
        let bench = try Self.bench()
        let taker = bench.fetch { $0.request.head.acceptsTrailers = true }
        try bench.origin().send(
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nok\r\n0\r\nX-End: 1\r\n\r\n")
        #expect(taker.heard == ["103", "head stream", "body", "end"])
        #expect(taker.trailers == [Message.Field(name: "X-End", value: "1")])
        bench.expectQuiet()
    }

    @Test func whileItsConsumerTakesNoMoreNothingIsRead() throws {
        let bench = try Self.bench()
        let taker = bench.fetch { $0.bytesMax = 4 }
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n1234")
        origin.send("5678")
        #expect(taker.text == "1234" && origin.unreadCount == 4)
        #expect(!origin.link.wantsRead)
        taker.fetch?.resume()
        bench.turn()
        #expect(taker.text == "12345678")
        #expect(taker.heard.last == "end")
        bench.expectQuiet()
    }

    // MARK: - What is cut

    @Test(arguments: [(1000, "head 9"), (4, "head stream")]) func aValueIsCut(hold: Int, head: String) throws {
        let bench = try Self.bench("[Int]") {
            $0.parent = FieldPath("data")
            $0.holdBytes = hold
        }
        let taker = bench.fetch()
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 19\r\n\r\n")
        origin.send(#"{"data":[1, 2, 3] }"#, inPiecesOf: 7)
        #expect(taker.heard == [head, "body", "end"])
        #expect(taker.text == "[1, 2, 3]")
        #expect(taker["Content-Type"] == "application/json" && taker["ETag"] == nil)
        bench.expectQuiet()
    }

    @Test(
        arguments: [
            (200, #"{"data": ["x"]}"#, .typeMismatch), (200, "{}", .missingValue), (200, "<html>", .typeMismatch),
            (404, #"{"error": 1}"#, .upstreamError), (206, "{}", nil),
        ] as [(Int, String, Problem.Kind?)])
    func whatCannotBeAnsweredFails(status: Int, body: String, kind: Problem.Kind?) throws {
        let bench = try Self.bench("[Int]") { $0.parent = FieldPath("data") }
        let taker = bench.fetch()
        try bench.origin().answer(status, body: body)
        #expect(taker.heard == ["failed"])
        #expect(taker.problem?.kind == kind ?? .upstreamProtocol)
        #expect(taker.problem?.upstream == "fruit")
        bench.turn()
        bench.expectQuiet()
    }

    // MARK: - Attempts

    @Test func aRedirectIsFollowed() throws {
        let bench = try Self.bench("Int") { $0.follow = .sameOrigin }
        let taker = bench.fetch("GET", "/v1/x?q=1")
        try bench.origin().answer(302, "Location: /v1/y?q=2", body: "elsewhere")
        #expect(try bench.forwarded().startLine == "GET /v1/y?q=2 HTTP/1.1")
        #expect(taker.heard.isEmpty)
        try bench.origin().answer(json: "7")
        #expect(taker.heard == ["head 1", "body", "end"])
        bench.expectQuiet()
    }

    @Test(arguments: [nil, 503]) func aFailedAttemptIsFollowedByAnother(status: Int?) throws {
        let bench = try Self.bench("Int", endpoints: 2) {
            $0.retry = RetryPolicy()
        }
        let taker = bench.fetch()
        let first = try bench.origin()
        if let status { first.answer(status, body: "busy") } else { first.reset() }
        #expect(taker.heard.isEmpty)
        bench.advance(by: .seconds(1))
        let second = try bench.origin()
        #expect(second.endpoint !== first.endpoint)
        second.answer(json: "7")
        #expect(taker.heard == ["head 1", "body", "end"])
        bench.expectQuiet()
    }

    /// The rest of a failed answer is read, and nothing is made of it.
    @Test func whatStillComesOfAFailedAttemptIsDropped() throws {
        let bench = try Self.bench(endpoints: 2) {
            $0.retry = RetryPolicy()
        }
        let taker = bench.fetch()
        let first = try bench.origin()
        first.send("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbu")
        first.send("sy")
        #expect(taker.heard.isEmpty && !first.isClosed)
        bench.advance(by: .seconds(1))
        try bench.origin().answer(200, body: "good")
        #expect(taker.text == "good")
        bench.expectQuiet()
    }

    /// What of a coded answer has to wait for the next turn is no answer any more once its connection is lost.
    @Test func aLostAnswerIsNotDecodedOn() throws {
        let bench = try Self.bench("[JSON]", endpoints: 2) {
            $0.retry = RetryPolicy()
            // Any turn of decoding would be enough to answer.
            $0.holdBytes = 100 << 10
        }
        let document = Coded.document(300_000)
        let coded = try Coded.bytes(document, .gzip)
        let taker = bench.fetch()
        let first = try bench.origin()
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count + 1)\r\n\r\n"
        let bytes = Array(head.utf8) + coded
        bytes.withUnsafeBytes { bytes in
            first.link.received(bytes)
            bench.carryOut()
            first.link.settle()
        }
        #expect(bench.gateway.hasPostponed)
        first.reset()
        #expect(taker.heard.isEmpty)
        bench.advance(by: .seconds(1))
        let second = try bench.origin()
        #expect(second !== first)
        second.send(Coded.message("HTTP/1.1 200 OK\r\nContent-Encoding: gzip", coded))
        #expect(taker.heard == ["head stream", "body", "end"])
        #expect(taker.text == document)
        bench.expectQuiet()
    }

    @Test(arguments: [true, false]) func theFirstOfTwoAttemptsAnswers(isSecond: Bool) throws {
        let bench = try Self.bench("Int", endpoints: 2) {
            $0.hedge = .after(.milliseconds(50))
            $0.retry = .off
        }
        let taker = bench.fetch()
        let first = try bench.origin()
        bench.advance(by: .milliseconds(60))
        let second = try bench.origin()
        try #require(first !== second)
        (isSecond ? second : first).answer(json: "7")
        #expect(taker.heard == ["head 1", "body", "end"])
        #expect((isSecond ? first : second).isClosed)
        #expect(bench.gateway.counters.retries == 1)
        bench.expectQuiet()
    }

    // MARK: - The request's body

    private static func uploads(_ taker: AnswerTaker, _ pieces: String...) {
        taker.request.body.isComplete = false
        taker.request.body.outgoing = .length(pieces.joined().utf8.count)
        taker.upload = pieces
    }

    @Test func aBodyGoesOutOnceItIsTaken() throws {
        let bench = try Self.bench()
        bench.connectsAtOnce = false
        let taker = bench.fetch("POST") { Self.uploads($0, "abc", "de") }
        #expect(taker.fetch?.takesBody() == false && taker.upload.count == 2)
        try bench.origin().connect()
        #expect(try bench.forwarded().text == "abcde")
        #expect(taker.fetch?.takesBody() == false)
        try bench.origin().answer(204)
        #expect(taker.heard == ["head empty", "end"])
        bench.expectQuiet()
    }

    /// `retry:` keeps a short body for another attempt.
    @Test(arguments: [(5, 200), (4, 502)]) func aShortBodyIsSentAgain(keptBytesMax: Int, status: Int) throws {
        let bench = try Self.bench(endpoints: 2) {
            var policy = RetryPolicy()
            policy.bodyBytesMax = keptBytesMax
            $0.retry = policy
        }
        let taker = bench.fetch("PUT") { Self.uploads($0, "abc", "de") }
        try bench.origin().reset()
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == (status == 200 ? 2 : 1))
        guard status == 200 else { return #expect(taker.problem?.kind == .connectionReset) }
        #expect(try bench.forwarded().text == "abcde")
        try bench.origin().answer(200)
        #expect(taker.status == 200)
        bench.expectQuiet()
    }

    /// `total:` begins with the end of what the client sends, and not anew with each attempt.
    @Test func theTotalIsOfAllAttempts() throws {
        let bench = try Self.bench(endpoints: 2) {
            $0.retry = RetryPolicy()
        } upstream: {
            $0.timeout.firstByte = .seconds(30)
            $0.timeout.total = .seconds(10)
        }
        let taker = bench.fetch("PUT") { Self.uploads($0, "abc", "de") }
        bench.advance(by: .seconds(6))
        try bench.origin().reset()
        bench.advance(by: .seconds(1))
        #expect(bench.origins.count == 2)
        #expect(try bench.forwarded().text == "abcde")
        bench.advance(by: .seconds(2))
        #expect(taker.problem == nil)
        bench.advance(by: .seconds(2))
        #expect(taker.problem?.kind == .totalTimeout)
        bench.turn()
        bench.expectQuiet()
    }

    @Test func aSilentUpstreamLetsTheGatewaySayContinue() throws {
        let bench = try Self.bench()
        let taker = bench.fetch("POST") {
            $0.request.head.expectsContinue = true
            $0.endsUpload = false
            $0.request.body.isComplete = false
            $0.request.body.outgoing = .length(3)
        }
        bench.advance(by: .milliseconds(900))
        #expect(taker.heard.isEmpty)
        bench.advance(by: .milliseconds(200))
        #expect(taker.heard == ["continue"])
        taker.fetch?.cancel()
        bench.turn()
        bench.expectQuiet()
    }

    // MARK: - Its end

    @Test(
        arguments: [
            (nil, .firstByteTimeout), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\"", .totalTimeout),
        ] as [(String?, Problem.Kind)])
    func whatTakesTooLongFails(sent: String?, kind: Problem.Kind) throws {
        let bench = try Self.bench("JSON") { _ in
        } upstream: {
            $0.timeout.firstByte = .seconds(2)
            $0.timeout.total = .seconds(5)
        }
        let taker = bench.fetch()
        if let sent { try bench.origin().send(sent) }
        bench.advance(by: .milliseconds(1900))
        #expect(taker.heard.isEmpty)
        bench.advance(by: .seconds(4))
        #expect(taker.heard == ["failed"] && taker.problem?.kind == kind)
        bench.expectQuiet()
    }

    enum Moment: CaseIterable {
        case connecting, queued, sent, answering, waiting, hedged
    }

    /// Wherever it stands, a fetch that is cancelled leaves nothing behind, and its consumer hears no more of it.
    @Test(arguments: Moment.allCases) func itCanBeCancelledAtAnyTime(_ moment: Moment) throws {
        let bench = try Self.bench(endpoints: moment == .queued ? 1 : 2) {
            if moment == .waiting { $0.retry = RetryPolicy() }
            if moment == .hedged { $0.hedge = .after(.milliseconds(50)) }
        } upstream: {
            $0.connectionsMax = 1
        }
        bench.connectsAtOnce = moment != .connecting
        let before = moment == .queued ? bench.fetch() : nil
        let taker = bench.fetch()
        switch moment {
        case .connecting, .queued, .sent: break
        case .answering: try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        case .waiting: try bench.origin().send("HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nhalf")
        case .hedged: bench.advance(by: .milliseconds(60))
        }
        let heard = taker.heard
        #expect(bench.origins.count == (moment == .hedged ? 2 : 1))
        taker.fetch?.cancel()
        taker.borrowedFetch = nil
        bench.turn()
        bench.advance(by: .seconds(60))
        #expect(taker.heard == heard)
        #expect(bench.origins.count == (moment == .hedged ? 2 : 1))
        if let before { #expect(before.problem?.kind == .firstByteTimeout) }
        bench.expectQuiet()
    }
}
