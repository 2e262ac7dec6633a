import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// Loops that share a cache, with clients that watch and an origin that answers when the test says so.
final class WatchBench {
    let benches: [Bench]
    private let mailboxes: [LoopMailbox]
    private var seen: [ObjectIdentifier: Int] = [:]

    /// An event as a client has read it.
    struct Event: Equatable {
        var name = ""
        var id: String?
        var data = ""

        /// Of `5f3a-12` the number.
        var number: Int? { id.flatMap { Int($0.split(separator: "-")[1]) } }
    }

    init(_ configuration: Configuration, loops: Int = 1) throws {
        let table = try RouteTable(configuration)
        let cache = SharedCache(MemoryStore(CacheSettings()))
        let mailboxes = (0..<loops).map { _ in LoopMailbox() }
        self.mailboxes = mailboxes
        benches = mailboxes.map { Bench(table, cache: cache, address: $0.address) }
    }

    /// `GET /fruits`, which is watched, and `POST /fruits`, which changes it.
    convenience init(
        loops: Int = 1, _ edit: (inout Binding) throws -> Void = { _ in }, limits: (inout Limits) -> Void = { _ in }
    ) throws {
        var configuration = try Self.configuration(edit)
        limits(&configuration.limits)
        try self.init(configuration, loops: loops)
    }

    static func configuration(_ edit: (inout Binding) throws -> Void = { _ in }) throws -> Configuration {
        let fruits = try Build.binding("GET /fruits", to: "fruit /fruits", value: "JSON") {
            $0.watch = WatchPolicy()
            $0.parameters = [try Build.parameter("kind", "String?")]
            try edit(&$0)
        }
        return Build.configuration([fruits, try Build.binding("POST /fruits", to: "fruit /fruits")])
    }

    var bench: Bench { benches[0] }

    // MARK: - Clients

    func watch(_ target: String = "/fruits", _ fields: String..., on loop: Int = 0) -> ClientPeer {
        let client = benches[loop].client()
        client.request(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        deliver()
        return client
    }

    /// All that it has been told, without what is left out of tables: comments, and the time to come back after.
    func events(_ client: ClientPeer) -> [Event] {
        var events: [Event] = []
        for block in (client.answers.first?.text ?? "").components(behind: "\n\n") {
            var event = Event()
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
                switch parts[0] {
                case "event": event.name = value
                case "id": event.id = value
                case "data": event.data += event.data.isEmpty ? value : "\n" + value
                default: break
                }
            }
            if !event.name.isEmpty { events.append(event) }
        }
        return events
    }

    /// `name data` of each.
    func texts(_ client: ClientPeer) -> [String] { events(client).map { "\($0.name) \($0.data)" } }

    // MARK: - The origin

    /// Requests that are not answered, on all loops.
    var open: [OriginPeer] {
        benches.flatMap(\.origins).filter { origin in
            !origin.isClosed && origin.requests.count > seen[ObjectIdentifier(origin)] ?? 0
                && origin.requests.last?.isComplete == true
        }
    }

    /// All requests so far.
    var requests: [Message] { benches.flatMap(\.origins).flatMap(\.requests) }

    /// Answers the only request that is open.
    func answer(
        _ json: String, status: Int = 200, _ fields: String..., location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(open.count == 1, sourceLocation: location)
        let origin = try #require(open.first, "nothing is asked", sourceLocation: location)
        answer(origin, json, status: status, fields)
    }

    func answer(_ origin: OriginPeer, _ json: String, status: Int = 200, _ fields: [String] = []) {
        seen[ObjectIdentifier(origin)] = origin.requests.count
        let length = status == 304 ? "" : "Content-Length: \(json.utf8.count)\r\n"
        origin.send(
            "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\(length)"
                + fields.map { $0 + "\r\n" }.joined() + "\r\n" + (status == 304 ? "" : json))
        deliver()
    }

    /// Notes that a request has an answer without end.
    func leaveOpen(_ origin: OriginPeer) { seen[ObjectIdentifier(origin)] = origin.requests.count }

    // MARK: - Time

    func deliver() { LoopMailbox.deliver(mailboxes, to: benches) }

    func advance(by duration: Duration) {
        for bench in benches {
            bench.advance(by: duration)
            deliver()
        }
    }

    /// To the next question, while all is well: a little more than `every: 10s`.
    func advanceToQuestion() { advance(by: .seconds(11) + .milliseconds(10)) }

    /// Everybody leaves, and what was kept for those who come back is forgotten.
    func expectQuiet(_ location: SourceLocation = #_sourceLocation) {
        for bench in benches { for client in bench.clients where !client.isClosed { client.reset() } }
        deliver()
        #expect(open.isEmpty, sourceLocation: location)
        advance(by: .seconds(62))
        for bench in benches {
            bench.expectQuiet(location)
            #expect(bench.gateway.counters.watchers == 0, sourceLocation: location)
            #expect(bench.gateway.counters.watched == 0, sourceLocation: location)
            #expect(bench.gateway.loopCache.shared.watches.isEmpty, sourceLocation: location)
        }
    }
}

extension String {
    /// The parts that end with a mark; what stands behind the last one is not over.
    fileprivate func components(behind mark: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let end = rest.firstRange(of: mark) {
            parts.append(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return parts
    }
}
