internal import SluiceContract

/// The result of a call's request for a carrier.
enum EndpointLease {
    /// This connection, which has served before.
    case connection(UpstreamLink)
    /// A stream of this connection; it is counted already.
    case stream(HTTP2UpstreamLink)
    /// There is room for a new connection, which the call opens.
    case opensConnection
    /// The call is in the queue for a connection of its own.
    case awaitsConnection
    /// The call is in the queue for a stream, and another connection has to be opened for it.
    case opensStreams
    /// The call is in the queue for a stream.
    case awaitsStream
    case refused(Problem)

    /// What a request needs of its carrier.
    enum Need {
        case any
        /// A connection of its own, where a WebSocket begins with HTTP/1.1.
        case webSocket
        /// An HTTP/2 stream, whichever version the upstream chose last.
        case grpc
    }
}

extension Endpoint {
    /// - Parameter fresh: asks for a connection that was never used, to replay a request after a stale one was lost.
    func lease(_ call: UpstreamCall, _ need: EndpointLease.Need, fresh: Bool, at now: UInt64) -> EndpointLease {
        switch need {
        case .any where speaksHTTP2(at: now): return leaseStream(call)
        case .webSocket where tunnelsOverStreams && speaksHTTP2(at: now): return leaseStream(call)
        case .grpc where speaksHTTP2(at: now): return leaseStream(call)
        case .grpc:
            guard mayAgree(at: now) else {
                return .refused(
                    Problem(
                        .tlsFailure,
                        detail: "'\(settings.name)' chose HTTP/1.1, and gRPC needs HTTP/2; switch it on there."))
            }
            isMultiplexed = true
            return leaseStream(call)
        case .any, .webSocket: break
        }
        switch pool.lease(call, fresh: fresh, others: streams.count) {
        case .use(let link): return .connection(link)
        case .open: return .opensConnection
        case .wait: return .awaitsConnection
        case .refuse: return refusal(pool.waitingCount)
        }
    }

    private func leaseStream(_ call: UpstreamCall) -> EndpointLease {
        switch streams.lease(call) {
        case .use(let link): .stream(link)
        case .open: .opensStreams
        case .wait: .awaitsStream
        case .refuse: refusal(streams.waitingCount)
        }
    }

    private func refusal(_ waitingCount: Int) -> EndpointLease {
        .refused(Problem(.overloaded, detail: "\(waitingCount) requests wait for '\(settings.name)' already."))
    }
}
