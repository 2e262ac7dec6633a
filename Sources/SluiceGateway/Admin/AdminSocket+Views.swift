internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Views for people and their tools, besides metrics and the cache:
///
///     GET /bindings        the bindings, with what can be asked of each
///     GET /configuration   the configuration in force, with all defaults
///     GET /reloads         the outcome of the start and of each reload
///     GET /drift           where answers are not of their declared types, and which types would accept them
///     DELETE /drift        forgets that
///     GET /state           what is being fetched for the cache, and what went wrong last
///     GET /upstreams       endpoints and their state
///     GET /watches         values that clients watch, and their state
extension AdminSocket {
    static let viewPaths = DaemonDocument.allCases.map(\.path) + [driftPath, statePath, "/upstreams", "/watches"]

    /// Answers a request that is one of these.
    /// - Returns: whether it is.
    func view(_ exchange: Exchange) throws(Problem) -> Bool {
        if exchange.request.head.method == .delete,
            String(decoding: exchange.request.head.path, as: UTF8.self) == Self.driftPath
        {
            try forgetDrift(exchange)
            return true
        }
        guard let path = try readPath(of: exchange, among: Self.viewPaths) else { return false }
        if path == Self.driftPath { return try tellDrift(exchange) }
        _ = try AdminQuery(exchange.request.head.query, of: path, names: [])
        if let document = DaemonDocument.allCases.first(where: { $0.path == path }) {
            try documents.ask(document, for: exchange)
        } else {
            exchange.answerJSON(
                path == Self.statePath ? resourceStates : path == "/watches" ? watchList : upstreamList)
        }
        return true
    }

    private var upstreamList: JSONValue {
        publish()
        let registry = corridor.loop.metrics.registry
        func slabs(_ subject: MetricsRegistry.Subject) -> [String: [CounterSlab]] {
            Dictionary(registry.entries(subject).map { ($0.name, $0.all) }) { first, _ in first }
        }
        let (upstreams, endpoints) = (slabs(.upstream), slabs(.endpoint))
        let list = corridor.generation.table.configuration.upstreams.map { upstream in
            let cells = upstreams[upstream.name] ?? []
            let places = upstream.endpoints.map { endpoint in
                Self.report(endpoint.place, endpoints[LoopMetrics.name(of: endpoint.place, upstream.name)] ?? [])
            }
            return JSONValue.object([
                ("name", .string(upstream.name)), ("endpoints", .array(places)),
                (
                    "connections",
                    .object([
                        ("idle", Self.number(cells.sum(UpstreamCells.idleConnections))),
                        ("busy", Self.number(cells.sum(UpstreamCells.busyConnections))),
                    ])
                ), ("waiting", Self.number(cells.sum(UpstreamCells.waiting))),
            ])
        }
        return .object([("upstreams", .array(list))])
    }

    /// Each loop judges an endpoint by itself: the report says where any loop avoids it.
    private static func report(_ address: String, _ cells: [CounterSlab]) -> JSONValue {
        let isDown = cells.sum(EndpointCells.down) > 0
        let isOpen = cells.sum(EndpointCells.open) > 0
        return .object([
            ("address", .string(address)), ("state", .string(isDown ? "down" : isOpen ? "open" : "well")),
            ("loops", number(cells.sum(EndpointCells.present))), ("loops_well", number(cells.sum(EndpointCells.well))),
        ])
    }

    private static func number(_ value: UInt64) -> JSONValue { .number(Int(clamping: value)) }
}
