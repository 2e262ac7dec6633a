internal import SluiceContract

/// Metrics that are not counted as they happen: the loop publishes them once a second.
extension UpstreamRuntime {
    func publish(at now: UInt64) {
        let idle = endpoints.reduce(0) { $0 + $1.pool.idle.count + $1.streams.idleCount }
        cells.set(idle, at: UpstreamCells.idleConnections)
        cells.set(
            endpoints.reduce(0) { $0 + $1.pool.count + $1.streams.count } - idle, at: UpstreamCells.busyConnections)
        cells.set(
            endpoints.reduce(0) { $0 + $1.pool.waitingCount + $1.streams.waitingCount }, at: UpstreamCells.waiting)
        cells.set(endpoints.reduce(0) { $0 + $1.streams.streamCount }, at: UpstreamCells.streams)
        cells.set(retryBudget.retriesLeft(at: now), at: UpstreamCells.budget)
        for (endpoint, cells) in zip(endpoints, endpointCells) {
            cells.set(1, at: EndpointCells.present)
            cells.set(endpoint.isAskable(at: now) ? 1 : 0, at: EndpointCells.well)
            cells.set(endpoint.breaker.state == .closed ? 0 : 1, at: EndpointCells.open)
            cells.set(endpoint.breaker.isDown ? 1 : 0, at: EndpointCells.down)
        }
    }

    /// The upstream is no longer configured: its counters stay, its gauges are removed.
    func withdraw() {
        let gauges = [
            UpstreamCells.idleConnections, UpstreamCells.busyConnections, UpstreamCells.waiting, UpstreamCells.streams,
            UpstreamCells.budget,
        ]
        for gauge in gauges { cells.set(0, at: gauge) }
        for cells in endpointCells { for cell in 0..<EndpointCells.count { cells.set(0, at: cell) } }
    }
}

extension Upstream.Origin {
    /// The endpoint's name in metrics.
    var place: String {
        switch self {
        case .tcp(let host, let port, tls: _): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
