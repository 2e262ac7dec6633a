internal import ArgumentParser
internal import Dispatch
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// `sluice serve`: the daemon.
struct ServeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gateway.",
        discussion: """
            SIGTERM and SIGINT stop accepting, finish what is in flight within 'drain:', and exit 0. SIGHUP reloads the \
            configuration; a file with mistakes is refused and the old one stays in force.
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        let table = try ConfigurationFile(file.path).table()
        let logger = Logger(label: "sluice")
        let server = Server(table, logger: logger)
        do {
            try server.start()
        } catch {
            throw Say.failure("sluice: \(error)")
        }
        logger.notice("listening on \(server.addresses.joined(separator: ", "))")
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler {
                server.drain(within: table.configuration.drain) { _ in Glibc.exit(0) }
            }
            source.resume()
            return source
        }
        withExtendedLifetime(signals) { dispatchMain() }
    }
}
