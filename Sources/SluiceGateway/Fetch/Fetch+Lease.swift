internal import SluiceContract

/// How a fetch gets what carries it: a connection of its own, or a stream of a shared one.
extension Fetch {
    func lease() {
        if borrowedRoute?({ $0.credentials.isNone }) == false, awaitsCredential() { return }
        guard let upstream = borrowedUpstream else { preconditionFailure("a lease without an upstream") }
        upstream { upstream in
            if attempts != nil {
                guard let endpoint = pickEndpoint(upstream) else { return }
                lease(upstream, at: endpoint, fresh: false)
            } else {
                lease(upstream, at: upstream.endpoint, fresh: false)
            }
        }
    }

    func lease(_ upstream: UpstreamRuntime, at endpoint: Endpoint, fresh: Bool) {
        borrowedEndpoint = Borrowed(endpoint)
        if notes.isOn, let request = consumer?.request { notes.begin(request, upstream, endpoint, loop) }
        if endpoint.speaksHTTP2(at: loop.now), endpoint.tunnelsOverStreams || consumer?.request.isUpgrading != true {
            return leaseStream(upstream, endpoint)
        }
        if borrowedRoute?({ $0.isGRPC }) == true { return leaseForGRPC(upstream, endpoint) }
        switch endpoint.pool.lease(self, fresh: fresh, others: endpoint.streams.count) {
        case .use(let link):
            upstream.cells.add(at: UpstreamCells.reused)
            if notes.isOn { notes.connected(.reused) }
            link.lend(to: self)
        case .open: openConnection(upstream, endpoint)
        case .wait:
            carrierState = .queued
            endpoint.makePlace()
        case .refuse: refuse(endpoint.pool.waitingCount, upstream)
        }
    }

    private func leaseStream(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {
        switch endpoint.streams.lease(self) {
        case .use(let link):
            upstream.cells.add(at: UpstreamCells.reused)
            if notes.isOn { notes.connected(.reused) }
            link.serve(self)
        case .open:
            if notes.isOn { notes.connected(.opened) }
            carrierState = .queued
            endpoint.openStreams(upstream, loop)
        case .wait: carrierState = .queued
        case .refuse: refuse(endpoint.streams.waitingCount, upstream)
        }
    }

    /// HTTP/1.1 will not do, whatever the upstream has chosen last.
    private func leaseForGRPC(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {
        guard endpoint.mayAgree(at: loop.now) else {
            return fail(
                Problem(
                    .tlsFailure,
                    detail: "'\(upstream.settings.name)' chose HTTP/1.1, and gRPC needs HTTP/2; switch it on there."))
        }
        endpoint.isMultiplexed = true
        leaseStream(upstream, endpoint)
    }

    private func refuse(_ waitingCount: Int, _ upstream: UpstreamRuntime) {
        fail(Problem(.overloaded, detail: "\(waitingCount) requests wait for '\(upstream.settings.name)' already."))
    }

    func openConnection(_ upstream: UpstreamRuntime, _ endpoint: Endpoint) {
        if notes.isOn { notes.connected(.opened) }
        carrierState = .connecting(UpstreamLink(loop: loop, upstream: upstream, endpoint: endpoint, for: self))
    }
}
