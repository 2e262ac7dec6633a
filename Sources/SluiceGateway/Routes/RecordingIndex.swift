internal import SluiceCache
internal import SluiceContract
internal import Synchronization

/// What was recorded, by what was asked; shared by all loops.
final class RecordingIndex: Sendable {
    let missing: Recordings.Missing
    /// Names whose values are not compared.
    let leftOut: Set<String>
    private let exchanges: [RecordedExchange]
    /// Positions in ``exchanges``, in the order in which they were recorded.
    private let positions: [Key: [Int]]
    /// How many answers of each request have been given.
    private let given = Mutex<[Key: Int]>([:])

    private struct Key: Hashable {
        var upstream: String
        var method: String
        var target: String
        var body: Body
    }

    /// Stands for a request's body as it is recorded.
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
        leftOut = recordings.leftOut
        exchanges = recordings.exchanges
        var positions: [Key: [Int]] = [:]
        for (position, exchange) in recordings.exchanges.enumerated() {
            let key = Key(
                upstream: exchange.upstream, method: exchange.method, target: exchange.target,
                body: Body(exchange.requestBody))
            positions[key, default: []].append(position)
        }
        self.positions = positions.mapValues { list in
            list.sorted { recordings.exchanges[$0].number < recordings.exchanges[$1].number }
        }
    }

    /// The answer that comes next: each in its turn, and the last one from then on.
    /// - Parameter body: as it is recorded (``RecordedBody``).
    func answer(upstream: String, method: String, target: String, body: [UInt8]) -> RecordedExchange? {
        let key = Key(upstream: upstream, method: method, target: target, body: Body(body))
        guard let list = positions[key] else { return nil }
        let turn = given.withLock { given in
            defer { given[key, default: 0] += 1 }
            return given[key, default: 0]
        }
        return exchanges[list[min(turn, list.count - 1)]]
    }

    /// The recorded request that is the most like one that was not recorded, and how it differs.
    func nearest(upstream: String, method: String, target: String) -> (exchange: RecordedExchange, difference: String)?
    {
        func cost(_ exchange: RecordedExchange) -> Int {
            (exchange.upstream == upstream ? 0 : 1_000) + (exchange.method == method ? 0 : 500)
                + Self.distance(exchange.target, target)
        }
        let costs = exchanges.indices.lazy.map { ($0, cost(self.exchanges[$0])) }
        guard let best = costs.min(by: { $0.1 < $1.1 }) else { return nil }
        let exchange = exchanges[best.0]
        let difference =
            exchange.upstream != upstream
            ? "another upstream"
            : exchange.method != method
                ? "another method" : exchange.target != target ? "another target" : "another body"
        return (exchange, difference)
    }

    /// Characters that differ between a common beginning and a common end: enough to tell what is near.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one.utf8), Array(other.utf8))
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a.dropFirst(start).reversed(), b.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        return max(a.count, b.count) - start - end
    }
}
