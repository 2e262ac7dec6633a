import SluiceContract

/// `pool:` of an upstream; all numbers are per event loop.
enum PoolSection {
    private static let model = Upstream(name: "", origin: .unix(path: ""))

    static let section = Section(
        name: "upstream.pool", summary: "Connections to an upstream, per event loop",
        keys: [
            .init("idle", .duration, default: Quantity.text(model.idle), "How long an idle connection is kept"),
            .init(
                "idle-max", .integer(0...100_000), default: String(model.idleConnectionsMax), "Idle connections kept"),
            .init(
                "connections", .integer(1...100_000), default: String(model.connectionsMax),
                "Connections, busy ones included; one of HTTP/2 carries many requests"),
            .init(
                "queue", .integer(0...1_000_000), default: String(model.queueMax), "Requests that wait for a connection"
            ),
            .init(
                "ping", .duration, default: Quantity.text(model.ping),
                "Silence on an HTTP/2 connection after which a PING asks whether the peer is there"),
            .init(
                "ping-timeout", .duration, default: Quantity.text(model.pingTimeout),
                "How long the answer to that may take before the connection is given up"),
            .init(
                "gather", .duration, default: Quantity.text(model.gather),
                "How long a request may wait for others on a busy HTTP/2 connection, to leave in one write"),
        ])

    static func read(_ node: SourceNode, _ desk: Desk, into upstream: inout Upstream) {
        Fields.read(node, section, desk) { fields in
            fields.set("idle", &upstream.idle, desk.duration)
            fields.set("idle-max", &upstream.idleConnectionsMax) { desk.integer($0, in: 0...100_000) }
            fields.set("connections", &upstream.connectionsMax) { desk.integer($0, in: 1...100_000) }
            fields.set("queue", &upstream.queueMax) { desk.integer($0, in: 0...1_000_000) }
            fields.set("ping", &upstream.ping, desk.wait)
            fields.set("ping-timeout", &upstream.pingTimeout, desk.wait)
            fields.set("gather", &upstream.gather, desk.duration)
            if !fields.has("idle-max") {
                upstream.idleConnectionsMax = min(upstream.idleConnectionsMax, upstream.connectionsMax)
            }
            if upstream.idleConnectionsMax > upstream.connectionsMax {
                desk.findings.mistake(
                    at: fields.keyPlace("idle-max"), "more idle connections than connections",
                    expected: "at most \(upstream.connectionsMax)")
            }
        }
    }
}
