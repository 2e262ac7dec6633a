import SluiceContract

@testable import SluiceGateway

/// What client and origins of a simulation agree about: the configuration, and the content that belongs to each
/// request.
enum World {
    static let bufferedBytes = 3000
    static let holdBytes = 1500
    static let connectionsMax = 3
    /// What one input holds at most.
    static let inputBytes = 2500
    /// Heads, chunk framing and problems beside content.
    static let framingBytes = 4000
    static let clientOutboxMax = bufferedBytes + holdBytes + inputBytes + framingBytes
    /// One frame more than what is asked for at a time.
    static let http2OutboxMax = bufferedBytes + (16 << 10) + framingBytes
    /// What a client's connection carries while its body has to wait comes on top (`ClientLink.carriedBytesMax`).
    static let originOutboxMax = clientOutboxMax + (16 << 10) + inputBytes
    static let tokens = ["a": "token-of-a", "b": "token-of-b"]
    /// `h` speaks HTTP/2.
    static let upstreams = ["a", "b", "c", "h"]

    /// - Parameter variant: configurations between which a reload switches; routes and content stay the same.
    static func configuration(variant: Int) throws -> Configuration {
        var bindings: [Binding] = []
        for name in upstreams {
            bindings.append(
                try Build.binding("ANY /\(name)/raw/**", to: "\(name) /raw/**") {
                    $0.bodyBytesMax = 20_000
                    $0.retry = retry(name)
                    if name == "c" { $0.hedge = .after(.milliseconds(300)) }
                    if name == "b" { $0.concurrency = ConcurrencyLimit(1, queue: 1, wait: .milliseconds(800)) }
                })
            bindings.append(
                try Build.binding("GET /\(name)/typed/{id}", to: "\(name) /typed/{id}", value: "[Item]") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                    $0.parent = FieldPath("values")
                    $0.retry = retry(name)
                    if name == "b" { $0.hedge = .percentile(50) }
                    if variant == 2 { $0.rate = RateLimit(2, per: .seconds(1), burst: 1) }
                    $0.holdBytes = variant == 1 ? 0 : holdBytes
                    $0.early = isEarly(name)
                })
            bindings.append(
                try Build.binding("POST /\(name)/json/{id}", to: "\(name) /json/{id}") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                    $0.retry = retry(name)
                    $0.body = .json(.named("Item"))
                    $0.wrap = ["item"]
                    $0.holdBytes = holdBytes
                })
        }
        let item = TypeDefinition(name: "Item", type: .object(try Build.object(["id": "Int", "text": "String"])))
        return Build.configuration(bindings, upstreams: upstreams.map { upstream($0, variant) }, types: [item]) {
            $0.limits.bufferedBytes = bufferedBytes
            $0.limits.headerTimeout = .seconds(5)
            $0.limits.bodyTimeout = .seconds(8)
            $0.limits.keepAlive = .seconds(20)
        }
    }

    static let retriesPerSecond = 2
    static let retriesPercent = 50
    static let healthPath = "/healthz"

    /// `a` does what it does by itself, the others are retried.
    private static func retry(_ upstream: String) -> RetryPolicy? {
        var policy = RetryPolicy()
        policy.bodyBytesMax = 2000
        policy.on.insert(.timeout)
        return upstream == "a" ? nil : policy
    }

    /// How often a request may reach origins: each attempt may have found a stale connection first.
    static func attemptsMax(_ method: String, _ upstream: String) -> Int {
        method == "POST" ? 1 : upstream == "a" ? 2 : (RetryPolicy().attempts + 1) * 2
    }

    static func host(of origin: Upstream.Origin) -> String {
        guard case .tcp(let host, let port, _) = origin else { return "localhost" }
        return port == 80 ? host : "\(host):\(port)"
    }

    static func isEarly(_ upstream: String) -> Bool { upstream == "c" }

    private static func upstream(_ name: String, _ variant: Int) -> Upstream {
        Build.upstream(name) {
            if tokens[name] != nil { $0.bearer = .value("kept in the vault") }
            $0.connectionsMax = connectionsMax
            $0.idleConnectionsMax = name == "a" ? 2 : 1
            $0.queueMax = 3
            if name != "a" { $0.concurrency = ConcurrencyLimit(2, queue: name == "b" ? 1 : 9) }
            $0.idle = .seconds(10)
            $0.retryBudget.perSecond = retriesPerSecond
            $0.retryBudget.sharePercent = retriesPercent
            if name == "b" {
                $0.alternates = (1...2).map { .tcp(host: "b\($0).example", port: 8080, tls: false) }
                $0.health = HealthPolicy(path: healthPath)
            }
            if name == "c" {
                $0.alternates = [.tcp(host: "c1.example", port: 80, tls: false)]
                $0.breaker = BreakerPolicy()
                $0.breaker?.failures = 3
                $0.breaker?.restMax = .seconds(2)
            }
            if name == "h" { $0.httpVersion = .h2c }
            $0.timeout.connect = .seconds(1)
            $0.timeout.firstByte = .seconds(3)
            $0.timeout.total = .seconds(variant == 2 && name == "b" ? 6 : 12)
        }
    }

    /// Every limit on requests in flight.
    static func gates(_ bench: Bench) -> [InFlightGate] {
        let generation = bench.gateway.generation
        return generation.table.routes.compactMap { $0.meter?.gate } + generation.upstreams.compactMap(\.meter.gate)
    }

    // MARK: - Content

    /// Bytes that belong to one request and to no other.
    static func content(_ id: Int) -> [UInt8] {
        let count = [0, 1, 40, 700, 3100, 9000][id * 7 % 6] + id % 5
        return Array(String(repeating: "\(id).", count: count / 2 + 1).utf8.prefix(count))
    }

    /// The slice of a typed answer.
    static func slice(_ id: Int) -> String {
        let items = (0..<[0, 1, 3, 20, 90][id * 3 % 5]).map { #"{"id":\#(id), "text":"\#(id)-\#($0)"}"# }
        return "[" + items.joined(separator: " ,\n") + "]"
    }

    /// The document in which the slice stands.
    static func document(_ id: Int) -> String {
        #"{"count":\#(id),"values":\#(slice(id)),"tail":[null,{"values":[]}]}"#
    }

    static func item(_ id: Int) -> String {
        #"{"id": \#(id), "text": "\#(String(decoding: content(id), as: UTF8.self))"}"#
    }
}
