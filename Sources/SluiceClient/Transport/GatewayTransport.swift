internal import SluiceContract
internal import SluiceSockets

/// Calls to a gateway over HTTP/1.1, on a Unix socket or on TCP.
///
///     let gateway = try GatewayTransport(GatewayAddress("unix:/run/sluice.sock"))
///     let answer = try await gateway.send(CallRequest("/fruits?limit=3"), timeout: .seconds(5))
///     let bytes = try await answer.body.bytes(upTo: 1 << 20)
///
/// No thread waits: one thread of the process watches all connections, however many transports and calls there are. The
/// connections are kept for the next call as long as ``TransportLimits/idle`` says. A request is sent again by itself
/// in one case: a kept connection was closed before anything of the answer came, and the method is safe
/// (RFC 9110 §9.2.1), or nothing of the request had been written.
public final class GatewayTransport: Transport {
    /// Where the gateway is.
    public let address: GatewayAddress
    private let pool: ConnectionPool

    /// Another try meets a new connection, because the kept ones are let go of; a second covers that it is closed while
    /// the gateway restarts.
    private static let repeatsMax = 2

    /// A transport to the gateway at an address; nothing is connected yet.
    public init(_ address: GatewayAddress, limits: TransportLimits = TransportLimits()) {
        self.address = address
        pool = ConnectionPool(address, limits)
    }

    deinit { pool.close() }

    public func send(_ request: CallRequest, timeout: Duration? = nil) async throws -> CallAnswer {
        let outgoing = try OutgoingCall(request, to: address)
        let due = timeout.map { MonotonicClock.now() &+ $0.nanosecondsClamped } ?? .max
        var repeats = 0
        while true {
            try Task.checkCancellation()
            do throws(CallFailure) {
                return try await send(outgoing, due: due)
            } catch {
                guard case .stale = error, repeats < Self.repeatsMax else { throw error.error }
                repeats += 1
                pool.forsakeIdle()
            }
        }
    }

    private func send(_ outgoing: OutgoingCall, due: UInt64) async throws(CallFailure) -> CallAnswer {
        let connection = try await pool.lease(due: due)
        let (step, number) = await connection.perform(outgoing, due: due)
        switch step {
        case .wait: preconditionFailure("a call that was told to wait on")
        case .failed(let failure): throw failure
        case .answer(let status, let fields, let content, let isWhole):
            let body = isWhole ? AnswerBody(content) : AnswerBody(BodyReader(connection, number, first: content))
            return CallAnswer(status: status, fields: fields, body: body)
        }
    }
}
