import HTTP2Wire
import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// Every status, stored and not: what an answer announces is what is sent, and the next answer on the connection is
/// read as what it is (RFC 9112 §6.3, RFC 9113 §8.1.1).
@Suite struct StoredAnswerExam {
    static let statuses = 200...599
    static let content = "[1, 2, 3]"

    /// How an origin delivers its answers.
    enum Delivery: CaseIterable {
        case empty, length, chunked
    }

    /// Requests for one target, one after the other: the first one fills the cache.
    static let asked = [
        ("GET", ""), ("GET", ""), ("HEAD", ""), ("GET", "If-None-Match: *"), ("GET", "If-Match: \"other\""),
        ("GET", "Range: bytes=1-2"), ("GET", "Range: bytes=90-"), ("GET", "Accept-Encoding: gzip, identity;q=0"),
        ("HEAD", "If-None-Match: *"), ("GET", "Cache-Control: no-cache"), ("HEAD", "Cache-Control: no-cache"),
        ("POST", "Content-Length: 0"),
    ]

    static func bench() throws -> Bench {
        func binding(_ name: String, _ edit: (inout Binding) throws -> Void) throws -> Binding {
            try Build.binding("ANY /\(name)/**", to: "fruit /**", edit)
        }
        return try Bench(
            Build.configuration([
                try binding("plain") { _ in }, try binding("raw") { $0.cache = policy },
                try binding("typed") {
                    $0.value = try Build.type("JSON")
                    $0.compression = Compression()
                    $0.cache = policy
                },
            ]))
    }

    static var policy: CachePolicy {
        var policy = CachePolicy()
        policy.fresh = .seconds(60)
        return policy
    }

    /// What an origin sends to a request for `/v1/<status>`; anything else is a 200.
    static func answer(_ request: Message, _ delivery: Delivery) -> String {
        guard let status = Int(request.target.split(separator: "/").last ?? "") else {
            return "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"
        }
        let head = "HTTP/1.1 \(status) X\r\nCache-Control: max-age=60\r\nETag: \"\(status)\"\r\n"
        let hasNoContent = request.method == "HEAD" || status == 204 || status == 304
        switch delivery {
        case _ where status == 204: return head + "\r\n"
        case .empty: return head + "Content-Length: 0\r\n\r\n"
        case .length: return head + "Content-Length: 9\r\n\r\n" + (hasNoContent ? "" : content)
        case .chunked:
            if hasNoContent { return head + "\r\n" }
            return head + "Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n6\r\n 2, 3]\r\n0\r\n\r\n"
        }
    }

    /// Answers whatever origins have been asked and not answered yet.
    static func serve(_ bench: Bench, _ answered: inout [Int], _ delivery: Delivery) {
        var moves = true
        while moves {
            moves = false
            for (index, origin) in bench.origins.enumerated() {
                if answered.count == index { answered.append(0) }
                while !origin.isClosed, answered[index] < origin.requests.count(where: \.isComplete) {
                    answered[index] += 1
                    moves = true
                    origin.send(answer(origin.requests[answered[index] - 1], delivery))
                }
            }
        }
    }

    /// What every binding's answers have to be like, and what those of one that passes them are.
    static func judge(_ seen: [Message], _ name: String, _ status: Int, _ delivery: Delivery) {
        let note = Comment(rawValue: "\(name) \(status) \(delivery)")
        #expect(seen.count == asked.count + 1, note)
        #expect(!seen.contains { !$0.isComplete }, note)
        #expect(seen.last?.status == 200, note)
        #expect(name == "typed" || seen.last?.text == "next", note)
        for (message, (method, _)) in zip(seen, asked) where method != "HEAD" && ![204, 304].contains(message.status) {
            let announced = message["Content-Length"].flatMap { Int($0) }
            #expect(announced == nil || announced == message.bodyCount, note)
        }
        guard name == "raw", seen.count > 2 else { return }
        let body = [204, 304].contains(status) || delivery == .empty ? "" : content
        let isStored = status != 206 && status != 304
        #expect(seen[0].status == status && seen[0].text == body, note)
        #expect(seen[1].status == status && seen[1].text == body, note)
        // Where nothing follows the head, the next request may come before all of it is stored.
        let reused = status == 204 ? ["hit", "collapsed"] : ["hit"]
        #expect(reused.contains { seen[1]["Cache-Status"]?.contains($0) == true } == isStored, note)
        #expect(seen[2].status == status && seen[2].text == "", note)
        // Conditions and ranges are for a 200 alone (RFC 9110 §13.2.1, §14.2); `If-Match` is for the origin (RFC 9111
        // §4.3.2), and this one does not look at it.
        let selected =
            status != 200 ? [status, status, status, status] : [304, 200, delivery == .empty ? 416 : 206, 416]
        #expect(seen[3...6].map(\.status) == selected, note)
        let texts = status != 200 ? [body, body, body, body] : ["", body, delivery == .empty ? "" : "1,", ""]
        #expect(seen[3...6].map(\.text) == texts, note)
    }

    static let ways: [(String, Delivery)] = [
        ("plain", .length), ("raw", .empty), ("raw", .length), ("raw", .chunked), ("typed", .length),
    ]

    @Test(arguments: ways)
    func overHTTP1(name: String, delivery: Delivery) throws {
        var bench = try Self.bench()
        var answered: [Int] = []
        for status in Self.statuses {
            // What has closed is gone through in every turn.
            if status % 20 == 0 { (bench, answered) = (try Self.bench(), []) }
            let client = bench.client()
            var text = ""
            for (method, field) in Self.asked {
                client.expect(method)
                let line = field.isEmpty ? "" : field + "\r\n"
                text += "\(method) /\(name)/\(status) HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n"
            }
            client.expect("GET")
            client.send(text + "GET /\(name)/next HTTP/1.1\r\nHost: localhost\r\n\r\n")
            Self.serve(bench, &answered, delivery)
            #expect(client.reader.fault == nil, "\(status)")
            // A typed binding's `next` is no JSON: a problem, and read as one.
            if name == "typed" {
                #expect(client.answers.count == Self.asked.count + 1 && client.answers.allSatisfy(\.isComplete))
            } else {
                Self.judge(client.answers, name, status, delivery)
            }
            client.reset()
            bench.expectQuiet()
        }
    }

    @Test(arguments: ways)
    func overHTTP2(name: String, delivery: Delivery) throws {
        var bench = try Self.bench()
        var answered: [Int] = []
        for status in Self.statuses {
            if status % 20 == 0 { (bench, answered) = (try Self.bench(), []) }
            let client = HTTP2Client(bench)
            var stream = 1
            for (method, field) in Self.asked + [("GET", "")] {
                let isNext = stream > Self.asked.count * 2
                let parts = field.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(" ") }
                let fields: HTTP2Wire.Fields = field.isEmpty ? [] : [(parts[0].lowercased(), String(parts[1]))]
                client.send(
                    HTTP2Wire.request(stream, method, isNext ? "/\(name)/next" : "/\(name)/\(status)", fields))
                Self.serve(bench, &answered, delivery)
                stream += 2
            }
            let seen = stride(from: 1, to: stream, by: 2).map { Message(client.answer($0)) }
            #expect(stride(from: 1, to: stream, by: 2).allSatisfy { client.answer($0).resetCode == nil })
            if name == "typed" {
                #expect(!seen.contains { !$0.isComplete }, "\(status)")
            } else {
                Self.judge(seen, name, status, delivery)
            }
            client.peer.reset()
            bench.expectQuiet()
        }
    }

    /// The same for clients on another loop, who read what is being stored as it arrives.
    @Test(arguments: Delivery.allCases)
    func onAnotherLoop(delivery: Delivery) throws {
        let table = try RouteTable(Self.bench().gateway.generation.table.configuration)
        let mailboxes = [LoopMailbox(), LoopMailbox()]
        let cache = SharedCache(MemoryStore(CacheSettings()))
        let benches = mailboxes.map { Bench(table, cache: cache, address: $0.address) }
        for status in Self.statuses where status != 206 && status != 304 {
            let request = "GET /raw/\(status) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let clients = benches.map { $0.client() }
            clients[0].request(request)
            LoopMailbox.deliver(mailboxes, to: benches)
            clients[1].expect("GET")
            clients[1].request(request + request)
            LoopMailbox.deliver(mailboxes, to: benches)
            let origin = try benches[0].origin()
            let answer = Self.answer(try #require(origin.requests.last), delivery)
            origin.send(String(answer.dropLast(4)))
            LoopMailbox.deliver(mailboxes, to: benches)
            origin.send(String(answer.suffix(4)))
            LoopMailbox.deliver(mailboxes, to: benches)
            let body = status == 204 || delivery == .empty ? "" : Self.content
            #expect(clients.map { $0.answers.map(\.text) } == [[body], [body, body]], "\(status)")
            #expect(clients.flatMap(\.answers).allSatisfy { $0.status == status && $0.isComplete }, "\(status)")
            #expect(clients.allSatisfy { $0.reader.fault == nil }, "\(status)")
            for client in clients { client.reset() }
        }
        #expect(benches[1].origins.isEmpty)
        benches.forEach { $0.expectQuiet() }
    }

    /// Pipelined behind a stored answer of the upstream's that looks like one of the gateway's own.
    @Test(arguments: [412, 416, 404])
    func aStoredRefusalHasItsBody(status: Int) throws {
        let bench = try Self.bench()
        try bench.get(
            "/raw/a",
            answer: "HTTP/1.1 \(status) X\r\nCache-Control: max-age=60\r\nContent-Length: 6\r\n\r\nsorry!")
        let client = bench.client()
        for _ in 0..<2 { client.expect("GET") }
        let request = "GET /raw/a HTTP/1.1\r\nHost: localhost\r\nAccept: a\r\nCache-Control: max-stale\r\n\r\n"
        client.send(request + request)
        #expect(client.reader.fault == nil)
        #expect(client.answers.map(\.text) == ["sorry!", "sorry!"])
        #expect(client.answers.map(\.status) == [status, status])
        bench.expectQuiet()
    }
}
