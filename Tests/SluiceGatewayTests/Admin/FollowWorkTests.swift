import SluiceContract
import SluiceHTTP
import Synchronization
import Testing

@testable import SluiceGateway

/// `GET /requests` of the admin socket: finished requests as they happen.
@Suite struct FollowWorkTests {
    private final class Words: Sendable {
        let count = Atomic(0)
    }

    private let feed: RequestFeed
    private let words = Words()
    private let bench: Bench

    init() throws {
        feed = RequestFeed { entry, line in
            line += entry.target
            line += " \(entry.status) \(entry.problem?.rawValue ?? "-")".utf8
        }
        bench = try Self.bench(feed, words)
    }

    private static func bench(_ feed: RequestFeed, _ words: Words) throws -> Bench {
        let fruits = try Build.binding("GET /fruits/{id}", to: "fruit /fruits/{id}") {
            $0.parameters = [try Build.parameter("id", "Int", in: .path)]
        }
        let bench = try Bench(Build.configuration([fruits, try Build.binding("ANY /raw/**", to: "fruit /**")]))
        bench.gateway.requestFeed = feed
        bench.gateway.onRequestsToTell { [words] in words.count.add(1, ordering: .relaxed) }
        return bench
    }

    private func follow(_ query: String = "", in other: Bench? = nil) -> ClientPeer {
        let bench = other ?? bench
        let client = bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("GET /requests\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
    }

    private func tell() {
        bench.gateway.tellFollowers()
        bench.turn()
    }

    /// What it has been told so far; its answer goes on.
    private func lines(_ client: ClientPeer) -> [String] {
        String(decoding: client.answers.first?.body ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func tellsOfRequestsFromNowOn() throws {
        try bench.get("/fruits/1")
        let client = follow()
        #expect(feed.isFollowed)
        #expect(client.answers.first?["Content-Type"] == "application/x-ndjson")
        try bench.get("/fruits/2")
        try bench.get("/fruits/x")
        try bench.get("/nowhere")
        #expect(lines(client).isEmpty && words.count.load(ordering: .relaxed) == 1)
        tell()
        #expect(lines(client) == ["/fruits/2 200 -", "/fruits/x 400 bad-parameters", "/nowhere 404 unknown-route"])
        try bench.get("/raw/a")
        #expect(words.count.load(ordering: .relaxed) == 2)
        tell()
        #expect(lines(client).last == "/raw/a 200 -")
    }

    /// Whoever follows, or asks the admin socket else, is none of them.
    @Test func theAdminSocketIsNotToldOf() throws {
        let client = follow()
        _ = try AdminBench(of: bench).ask("/cache/stats")
        tell()
        #expect(lines(client).isEmpty)
        client.reset()
        #expect(!feed.isFollowed)
        bench.expectQuiet()
    }

    static let filters: [(String, [String])] = [
        ("?match=/fruits", ["/fruits/1", "/fruits/x"]), ("?match=GET+/fr", ["/fruits/1", "/fruits/x"]),
        ("?match=/fruits/1", ["/fruits/1"]), ("?match=/nothing", []), ("?problem", ["/fruits/x", "/nowhere"]),
        ("?problem=bad-parameters", ["/fruits/x"]), ("?problem=false&status=200", ["/fruits/1", "/raw/slow"]),
        ("?binding=ANY+/raw/**", ["/raw/slow"]), ("?status=4xx", ["/fruits/x", "/nowhere"]),
        ("?status=404", ["/nowhere"]), ("?slow=200", ["/raw/slow"]), ("?slow=201", []),
        ("?match=/raw&status=404", []),
    ]

    @Test(arguments: filters) func chooses(_ query: String, _ targets: [String]) throws {
        let client = follow(query)
        try bench.get("/fruits/1")
        try bench.get("/fruits/x")
        try bench.get("/nowhere")
        let slow = bench.client()
        slow.request("GET", "/raw/slow")
        bench.advance(by: .milliseconds(200))
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        tell()
        #expect(lines(client).map { String($0.prefix { $0 != " " }) } == targets)
    }

    @Test(arguments: [
        ("?slow=2s", "a number from 0 to"), ("?status=9xx", "a class such as 5xx"), ("?status=600", "such as 404"),
        ("?problem=type-mismtch", "such as type-mismatch"), ("?filter=/a", "match, binding"),
    ])
    func refuses(_ query: String, _ text: String) throws {
        let answer = try AdminBench(of: bench).ask("/requests" + query)
        #expect(answer.status == 400 && answer.text.contains(text), "\(answer.text)")
        #expect(!feed.isFollowed)
    }

    @Test func aBindingThatIsNoneIsTold() throws {
        let answer = try AdminBench(of: bench).ask("/requests?binding=ANY+/raw/*")
        #expect(answer.status == 404 && answer.text.contains("did you mean 'ANY /raw/**'?"), "\(answer.text)")
        #expect(!feed.isFollowed)
    }

    @Test func followersAreFew() throws {
        let clients = (0..<RequestFeed.followersMax).map { _ in follow() }
        #expect(try AdminBench(of: bench).ask("/requests").status == 503)
        clients[0].reset()
        _ = follow()
        #expect(try AdminBench(of: bench).ask("/requests").status == 503)
    }

    /// One that reads nothing holds a bounded number of lines, here and on their way, and hears how many are missing.
    @Test func whatFindsNoRoomIsCounted() throws {
        let client = follow()
        client.window = 0
        let target = "/nowhere?" + String(repeating: "x", count: 4000)
        let sent = 300
        for _ in 0..<sent { try bench.get(target) }
        tell()
        let most = 2 * RequestFollower.bytesMax
        #expect(client.link.outbox.count <= most + 4096)
        for _ in 0..<sent { try bench.get(target) }
        tell()
        #expect(client.link.outbox.count <= most + 4096)
        client.take(.max)
        tell()
        let lines = lines(client)
        let told = lines.filter { $0.hasPrefix("/nowhere") }
        let dropped = lines.compactMap { line in
            line.hasPrefix(#"{"dropped":"#) ? Int(line.dropFirst(11).dropLast()) : nil
        }
        #expect(told.allSatisfy { $0.hasSuffix(" 404 unknown-route") })
        #expect(dropped.count == 2 && told.count + dropped.reduce(0, +) == 2 * sent, "\(told.count), \(dropped)")
    }

    @Test func requestsOfOtherLoopsAreToldOf() throws {
        let other = try Self.bench(feed, Words())
        let client = follow()
        try other.get("/nowhere")
        #expect(words.count.load(ordering: .relaxed) == 1)
        tell()
        #expect(lines(client) == ["/nowhere 404 unknown-route"])
    }

    @Test func theEndOfTheDaemonEndsTheAnswer() throws {
        let client = follow()
        try bench.get("/nowhere")
        bench.gateway.drain()
        bench.turn()
        let answer = try #require(client.answers.first)
        #expect(answer.isComplete && answer.text == "/nowhere 404 unknown-route\n")
        #expect(!feed.isFollowed && client.isClosed)
        bench.expectQuiet()
    }

    @Test func headHasNoLines() throws {
        let answer = try AdminBench(of: bench).ask("/requests", by: "HEAD")
        #expect(answer.status == 200 && answer["Content-Type"] == "application/x-ndjson" && !feed.isFollowed)
    }

    @Test func withoutAFeedThereIsNothing() throws {
        #expect(try AdminBench().ask("/requests").status == 404)
    }
}
