internal import SluiceCache
internal import SluiceContract
internal import Synchronization

/// Recorded exchanges, by their requests; shared by all loops.
final class RecordingIndex: Sendable {
    let missing: Recordings.Missing
    /// Names whose values are not compared, and names that are compared though they look like those of credentials.
    let names: RecordingNames
    private let exchanges: [RecordedExchange]
    /// The target of each exchange, for ``nearest(upstream:method:target:)``.
    private let targets: [[UInt8]]
    /// Positions in ``exchanges``, in the order in which they were recorded.
    private let positions: [Key: [Int]]
    /// How many answers have been given to each request.
    private let given = Mutex<[Key: Int]>([:])

    private struct Key: Hashable {
        var upstream: String
        var method: String
        var target: String
        var body: Body
    }

    /// Stands for a request's body as recorded.
    private struct Body: Hashable {
        var count: Int
        var high: UInt64
        var low: UInt64

        init(_ bytes: [UInt8]) {
            var hash = SipHash(0, 0)
            bytes.withUnsafeBytes { hash.combine($0) }
            let digest = hash.finish()
            (count, high, low) = (bytes.count, digest.0, digest.1)
        }
    }

    init(_ recordings: Recordings) {
        missing = recordings.missing
        names = recordings.names
        exchanges = recordings.exchanges
        targets = recordings.exchanges.map { Array($0.target.utf8) }
        var positions: [Key: [Int]] = [:]
        // Files written by hand may contain values that are masked in requests.
        let rule = RecordedBody.ofRequest(recordings.names)
        for (position, exchange) in recordings.exchanges.enumerated() {
            let key = Key(
                upstream: exchange.upstream, method: exchange.method, target: exchange.target,
                body: Body(rule.masked(exchange.requestBody, type: exchange.requestType)))
            positions[key, default: []].append(position)
        }
        self.positions = positions.mapValues { list in
            list.sorted { recordings.exchanges[$0].number < recordings.exchanges[$1].number }
        }
    }

    /// The next answer to a request: each recorded answer in turn, then the last one again and again.
    /// - Parameter body: masked as in recordings (``RecordedBody``).
    func answer(upstream: String, method: String, target: String, body: [UInt8]) -> RecordedExchange? {
        let key = Key(upstream: upstream, method: method, target: target, body: Body(body))
        guard let list = positions[key] else { return nil }
        let turn = given.withLock { given in
            defer { given[key, default: 0] += 1 }
            return given[key, default: 0]
        }
        return exchanges[list[min(turn, list.count - 1)]]
    }

    /// The recorded request that is most like one that was not recorded, and how the two differ.
    func nearest(upstream: String, method: String, target: String) -> (exchange: RecordedExchange, difference: String)?
    {
        let wanted = Array(target.utf8)
        var best: (position: Int, cost: Int)?
        for (position, exchange) in exchanges.enumerated() {
            let cost =
                (exchange.upstream == upstream ? 0 : 1_000) + (exchange.method == method ? 0 : 500)
                + Self.distance(targets[position], wanted)
            if cost < best?.cost ?? .max { best = (position, cost) }
        }
        guard let best else { return nil }
        let exchange = exchanges[best.position]
        let difference =
            exchange.upstream != upstream
            ? "another upstream"
            : exchange.method != method
                ? "another method" : exchange.target != target ? "another target" : "another body"
        return (exchange, difference)
    }

    /// The number of characters between a common beginning and a common end: enough to tell which targets are similar.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let least = min(one.count, other.count)
        var start = 0
        while start < least, one[start] == other[start] { start += 1 }
        var end = 0
        while end < least - start, one[one.count - 1 - end] == other[other.count - 1 - end] { end += 1 }
        return max(one.count, other.count) - start - end
    }
}
