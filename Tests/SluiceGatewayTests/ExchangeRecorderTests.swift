import SluiceContract
import Synchronization
import Testing

@testable import SluiceGateway

/// Exchanges with upstreams as a recording gets them.
@Suite struct ExchangeRecorderTests {
    /// What a recorder is told, by loops.
    private final class Heard: Sendable {
        private let outcomes = Mutex<[ExchangeRecorder.Outcome]>([])

        func take(_ outcome: ExchangeRecorder.Outcome) { outcomes.withLock { $0.append(outcome) } }

        var ended: [EndedExchange] {
            outcomes.withLock { $0 }.compactMap { if case .ended(let exchange) = $0 { exchange } else { nil } }
        }

        var lost: [String] {
            outcomes.withLock { $0 }.compactMap {
                if case .lost(let what, let why) = $0 { "\(what): \(why)" } else { nil }
            }
        }
    }

    private let heard = Heard()

    private func record(on bench: Bench, _ names: RecordingNames = RecordingNames()) -> ExchangeRecorder {
        let recorder = ExchangeRecorder(bodyBytesMax: 1 << 20, names: names) { [heard] in heard.take($0) }
        bench.gateway.inspections = InspectionRing { 1_763_860_000_123 }
        bench.gateway.recorder = recorder
        return recorder
    }

    private static func bench() throws -> Bench {
        try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
    }

    /// Each part asks an upstream, or several times; the whole asks none.
    @Test func partsOfACompositionAreRecorded() throws {
        let bench = try ComposedBench(
            [
                "user": "GET /users/{id}", "posts": "GET /posts?author={user.id}&limit=20",
                "badges": "GET /badges/{badge} each user.badges as badge",
            ], value: "{user: JSON, posts: [Post], badges: [Badge]}")
        bench.know()
        _ = record(on: bench.bench)
        #expect(try bench.get("/profile/7", "Authorization: Bearer client-5up3rs3cret").status == 200)
        let exchanges = heard.ended.compactMap { $0.withoutSecrets() }
        #expect(
            exchanges.map(\.target).sorted() == [
                "/v1/badges/a", "/v1/badges/b", "/v1/badges/c", "/v1/posts?author=7&limit=20", "/v1/users/7",
            ])
        #expect(Set(exchanges.compactMap(\.binding)) == ["GET /badges/{badge}", "GET /posts", "GET /users/{id}"])
        #expect(
            String(decoding: exchanges.first { $0.target == "/v1/users/7" }?.body ?? [], as: UTF8.self)
                == ComposedBench.user)
        #expect(heard.lost == [])
    }

    /// The client's side takes no memory: neither what it sends nor what it gets.
    @Test func theClientsSideIsNotKept() throws {
        let bench = try Self.bench()
        _ = record(on: bench)
        let client = bench.client()
        client.request("POST", "/raw/a", type: "text/plain", body: "a long story")
        let link = try #require(client.link as? ClientLink)
        let exchange = try #require(link.exchange)
        let contents = try #require(exchange.request.contents)
        #expect(exchange.answer.sink === link)
        try bench.origin().answer(200, body: "told")
        #expect(contents.request.body.isEmpty && contents.request.fields.isEmpty && contents.answer.body.isEmpty)
        let recorded = try #require(heard.ended.first?.withoutSecrets())
        #expect(recorded.requestBody == Array("a long story".utf8) && recorded.body == Array("told".utf8))
    }

    /// However many there are, their bodies have a bound all together.
    @Test func bodiesUnderWayHaveABound() throws {
        let bench = try Self.bench()
        let recorder = record(on: bench)
        #expect(recorder.hold(ExchangeRecorder.bytesMax))
        try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
        #expect(
            heard.ended.isEmpty && heard.lost == ["GET /v1/a of 'fruit': bodies of more than 256 MiB are under way"])
        recorder.giveBack(2)
        // What is over has given its room back.
        for _ in 0..<2 { try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        #expect(heard.ended.count == 2)
        // So has what nobody waited for.
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok")
        client.reset()
        try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(heard.ended.count == 3, "\(heard.lost)")
    }

    /// An attempt that is over has left its room to the next one, however many there are.
    @Test func eachAttemptHasRoom() {
        let recorder = ExchangeRecorder(bodyBytesMax: 64 << 10) { [heard] in heard.take($0) }
        let contents = ExchangeContents(recorder.settings, InspectionCount(), recorder: recorder)
        let body = [UInt8](repeating: 0x78, count: 64 << 10)
        for position in 0..<4 {
            var record = AttemptRecord(
                .page, SpanID(1), upstream: "fruit", site: "http://fruit.example", method: "POST", target: "/", at: 0)
            record.status = 200
            contents.begin(attempt: position, of: "POST /a", for: UnsafeRawBufferPointer(start: nil, count: 0))
            body.withUnsafeBytes {
                contents.take(body: $0, into: contents.attempts[position].request)
                contents.take(body: $0, into: contents.attempts[position].answer)
            }
            contents.ended(attempt: position, record, isWhole: true)
        }
        let sizes = heard.ended.map { $0.request.body.count + $0.answer.body.count }
        #expect(sizes == [Int](repeating: 128 << 10, count: 4))
        #expect(heard.lost == [])
    }

    /// Two requests that look alike in a recording are known not to be, unless their names are compared.
    @Test func requestsThatLookAlikeAreKnown() throws {
        let bench = try Self.bench()
        _ = record(on: bench, RecordingNames(leftOut: ["at"]))
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        for query in ["sort_key=description&at=1", "sort_key=description&at=2", "sort_key=measurement&at=3"] {
            try bench.get("/raw/a?\(query)", answer: answer)
        }
        let all = heard.ended
        #expect(Set(all.compactMap { $0.withoutSecrets()?.target }) == ["/v1/a?sort_key=***&at=***"])
        #expect(all[0].question == all[1].question && all[0].question != all[2].question)

        let kept = try Self.bench()
        _ = record(on: kept, RecordingNames(compared: ["sort_key"]))
        try kept.get("/raw/a?sort_key=measurement&token=0123456789", answer: answer)
        let exchange = try #require(heard.ended.last?.withoutSecrets())
        #expect(exchange.target == "/v1/a?sort_key=measurement&token=***" && exchange.compared == ["sort_key"])
    }
}
