internal import Logging
internal import SluiceCache
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import SluiceStores
internal import Glibc

/// A gateway while it serves, on threads of its own.
struct RunningGateway: Sendable {
    private let server: Server
    private let stores: CacheStores
    private let drain: Duration

    /// - Throws: ``GatewayError/start(_:)``.
    init(_ configuration: Configuration, _ warnings: [GatewayMistake]) throws(GatewayError) {
        let logger = Logger(label: "sluice")
        for warning in warnings { logger.warning("\(warning)") }
        var opened: CacheStores?
        do {
            let table = try RouteTable(configuration)
            let stores = CacheStores(
                configuration.cache, credentialsDirectory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
                warn: { logger.warning("cache: \($0)") })
            opened = stores
            let server = Server(
                table, memory: stores.memory, tiers: stores.tiers, release: SluiceVersion.text, logger: logger)
            server.writeAccessLog(to: try .access(configuration.log, logger))
            server.writeAuditLog(to: try .audit(configuration.log, logger))
            try server.start()
            (self.server, self.stores) = (server, stores)
        } catch {
            opened?.tiers?.close()
            throw .start("\(error)")
        }
        drain = configuration.drain
    }

    /// Where clients find it, as sockets know it: `127.0.0.1:8080`, `unix:/run/x.sock`.
    var addresses: [String] { server.addresses }

    /// Stops accepting, and waits for what is in flight.
    /// - Returns: whether all of it was finished in time.
    func end() async -> Bool {
        let isClean = await withCheckedContinuation { continuation in
            server.drain(within: drain) { continuation.resume(returning: $0) }
        }
        stores.tiers?.close()
        return isClean
    }
}
