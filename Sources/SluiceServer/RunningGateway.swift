internal import Logging
internal import SluiceCache
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import SluiceStores
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

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
            try Self.logs(configuration.log, server, logger)
            try server.start()
            (self.server, self.stores) = (server, stores)
        } catch {
            opened?.tiers?.close()
            throw .start("\(error)")
        }
        drain = configuration.drain
    }

    private static func logs(_ log: LogSettings, _ server: Server, _ logger: Logger) throws {
        server.writeAccessLog(
            to: try log.access.map { try AccessLogWriter($0, shape: AccessShape(log), logger: logger) })
        server.writeAuditLog(to: try log.audit.map { try AccessLogWriter(path: $0, for: .audit, logger: logger) })
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
