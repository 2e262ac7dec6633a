extension GatewayClient {
    /// The client of a task and its children; see ``withClient(_:_:)``.
    @TaskLocal static var scoped: GatewayClient?

    /// The process's client, once it has been set or a call has needed it.
    private static let process = Locked<GatewayClient?>(nil)

    /// Where a program without a word about it finds its gateway.
    public static let usualAddress = "http://127.0.0.1:8080"

    /// Makes a client the one of the whole program, for everything that was not told another, made before or later.
    public static func use(_ client: GatewayClient) {
        process.replace(with: client)
    }

    /// Runs something with a client of its own, which goes for all tasks that it starts: tests use it.
    @discardableResult
    public static func withClient<Result>(
        _ client: GatewayClient, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scoped.withValue(client, operation: body)
    }

    /// The client for what was not told one: the task's, the program's, or that of the address in `SLUICE_URL`.
    public static func current() throws(CallError) -> GatewayClient {
        if let scoped { return scoped }
        if let known = process.withLock({ $0 }) { return known }
        let made = try fromEnvironment()
        return process.withLock { known in
            if let known { return known }
            known = made
            return made
        }
    }

    private static func fromEnvironment() throws(CallError) -> GatewayClient {
        let told: GatewayAddress?
        do throws(AddressError) {
            told = try GatewayAddress.environment
        } catch {
            throw .url("\(error)")
        }
        if let told { return GatewayClient(told) }
        return try GatewayClient(usualAddress)
    }
}
