internal import ArgumentParser
internal import CLinux
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// `sluice serve`: the daemon.
struct ServeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gateway.",
        discussion: """
            SIGTERM and SIGINT stop accepting, finish what is in flight within 'drain:', and exit 0; a second one ends \
            it at once. An event loop that does not end is not waited for. SIGHUP reloads the configuration and \
            reopens the access log; a file with mistakes is refused and the old one stays in force.

              sluice serve --config sluice.yaml

            Under systemd it tells when it is ready, reloading and stopping, and keeps the watchdog content while \
            every event loop answers. Sockets that a socket unit opened take the place of 'listen:'.

            Exit codes: 0 stopped as asked, 1 it could not start or was told twice to stop, 2 the configuration cannot \
            be read, 3 an event loop or a store did not end in time.
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        // Before there is any secret in it.
        clinux_keep_memory_private()
        // Both before there are other threads: one changes their signals, the other the environment.
        Signals.hold()
        let service = ServiceManager.fromEnvironment()
        let source = ConfigurationFile(file.path)
        let loaded = try source.readOrExit()
        guard let configuration = loaded.configuration else {
            throw Say.failure(loaded.mistakes.map { ConfigurationFile.text($0) }.joined(separator: "\n"))
        }
        let log = configuration.log
        let output = LogOutput(log)
        LoggingSystem.bootstrap { LogBackend(label: $0, level: log.level, output: output) }
        let logger = Logger(label: "sluice")
        for warning in loaded.warnings { logger.warning("\(warning)") }
        do {
            let daemon = try Daemon(configuration, from: source, service: service, logger: logger, output: output)
            try daemon.start()
            Signals.obey(daemon)
        } catch {
            output.flush(within: .seconds(1))
            throw Say.failure("sluice: \(error)")
        }
    }
}
