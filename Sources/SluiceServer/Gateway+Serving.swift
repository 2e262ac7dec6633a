internal import SluiceContract
internal import SluiceIO

extension Gateway {
    /// Serves until the task is cancelled; then it accepts no more connections and finishes the requests in flight.
    ///
    /// - Parameters:
    ///   - places: Where it listens; none is `listen` of its configuration, or 127.0.0.1:8080.
    ///   - listening: Hears the addresses as soon as clients find it there: `127.0.0.1:8080`, `unix:/run/x.sock`.
    /// - Throws: ``GatewayError``: before it serves for mistakes and addresses, at the end for requests that were not
    ///   finished in time.
    public func serve(
        on places: GatewayPlace..., listening: @Sendable ([String]) -> Void = { _ in }
    ) async throws(GatewayError) {
        let running = try start(places)
        listening(running.addresses)
        await Self.cancelled()
        guard await running.end() else { throw .unfinished }
    }

    /// Serves while a closure runs, on a free port of this machine: for tests, and for programs that are their own
    /// client.
    ///
    /// ```swift
    /// try await gateway.withServer { port in … }
    /// ```
    ///
    /// - Parameter body: Gets the port, on 127.0.0.1.
    /// - Throws: ``GatewayError``, and what the closure throws.
    public func withServer<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Int) async throws -> Result
    ) async throws -> Result {
        try await serving(on: .tcp(port: 0), isolation: isolation) { addresses in
            try await body(addresses.lazy.compactMap { Int($0.split(separator: ":").last ?? "") }.first ?? 0)
        }
    }

    /// The same on a place of one's own, such as a Unix socket.
    public func withServer<Result: Sendable>(
        on place: GatewayPlace, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await serving(on: place, isolation: isolation) { _ in try await body() }
    }

    /// Ends what serves however the closure ends.
    private func serving<Result: Sendable>(
        on place: GatewayPlace, isolation: isolated (any Actor)?, _ body: ([String]) async throws -> Result
    ) async throws -> Result {
        let running = try start([place])
        do {
            let result = try await body(running.addresses)
            _ = await running.end()
            return result
        } catch {
            _ = await running.end()
            throw error
        }
    }

    private func start(_ places: [GatewayPlace]) throws(GatewayError) -> RunningGateway {
        let gateway = places.isEmpty ? self : configured { $0.listen = places.map(\.listener) }
        let (configuration, warnings) = try gateway.served()
        let missing = configuration.upstreams.compactMap { upstream -> GatewayMistake? in
            guard case .env(let name)? = upstream.bearer, EnvironmentSecrets.take(name)?.isEmpty != false else {
                return nil
            }
            return GatewayMistake(
                text: "the variable \(name), which holds the bearer of \(upstream.name), is not set or empty")
        }
        guard missing.isEmpty else { throw .mistakes(missing) }
        return try RunningGateway(configuration, warnings)
    }

    /// Waits for the end of the task.
    private static func cancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
