internal import ArgumentParser
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO
internal import SluiceSigning

/// `sluice serve`: the daemon.
struct ServeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gateway.",
        discussion: """
            SIGTERM and SIGINT stop accepting, finish what is in flight within 'drain:', and exit 0; a second one ends \
            it at once. An event loop that does not end is not waited for. SIGHUP reloads the configuration and \
            reopens the access log; a file with mistakes is refused and the old one stays in force. 'sluice reload' \
            does the same and tells what came of it.

              sluice serve sluice.yaml
              sluice serve sluice.yaml --listen 8081

            Under systemd it tells when it is ready, reloading and stopping, and keeps the watchdog content while \
            every event loop answers. Sockets that a socket unit opened take the place of 'listen:'.

            Exit codes: 0 stopped as asked, 1 it could not start or was told twice to stop, 2 the configuration cannot \
            be read, 3 an event loop or a store did not end in time.
            """)

    @OptionGroup var page: PageOption

    @Option(
        help: ArgumentHelp(
            "Listen here in place of 'listen:': a port, 127.0.0.1:8081, [::1]:8081 or unix:/path; may stand several "
                + "times.", valueName: "address"))
    var listen: [ListenAddress] = []

    func validate() throws {
        if page.path == ConfigurationFile.standardInput {
            throw ValidationError("a reload reads the configuration again, which standard input does not allow")
        }
    }

    func run() throws {
        // Before there is any secret in it.
        let memory = ProcessMemory.keepPrivate()
        // Both before there are other threads: one changes their signals, the other the environment.
        Signals.hold()
        let service = ServiceManager.fromEnvironment()
        let source = ConfigurationFile(page.path, secrets: .required)
        let loaded = try source.readOrExit()
        guard let configuration = loaded.configuration else { throw Report.failure(loaded.mistakes) }
        let places = ListeningPlaces(service, given: listen.map(\.address))
        let log = configuration.log
        let output = LogOutput(log)
        LoggingSystem.bootstrap { LogBackend(label: $0, level: log.level, output: output) }
        let logger = Logger(label: "sluice")
        for warning in loaded.warnings { logger.warning("\(warning)") }
        Self.tell(memory, logger)
        do {
            let daemon = try Daemon(
                configuration, from: source, service: service, places: places, logger: logger, output: output)
            try daemon.start()
            Signals.obey(daemon)
        } catch {
            output.flush(within: .seconds(1))
            throw Self.failure(error, places.arrange(configuration), source)
        }
    }

    private static func tell(_ memory: ProcessMemory.Outcome, _ logger: Logger) {
        switch memory {
        case .kept(.locked): break
        case .kept(.unlocked):
            logger.info("secrets may be written to swap: this process may not lock 4 MiB of memory (LimitMEMLOCK=)")
        case .kept(.ordinary): logger.info("secrets may be written to swap: this OpenSSL has no secure heap")
        case .open:
            logger.warning(
                "others of this user may read the secrets of this process, and core files have them",
                metadata: ["because": "\(ProcessMemory.variable) is set"])
        }
    }

    /// Where an address is taken, it is mostly the daemon that runs already who has it.
    private static func failure(
        _ error: any Error, _ configuration: SluiceContract.Configuration, _ source: ConfigurationFile
    ) -> ExitCode {
        let isInUse = (error as? Server.StartFailure)?.isInUse ?? false
        let running = isInUse ? ListenCheck(configuration.listeners, in: source).warnings : []
        if running.isEmpty { return Say.failure("sluice: \(error)") }
        for finding in running { Say.error("sluice: \(finding.message)" + (finding.hint.map { "; \($0)" } ?? "")) }
        return ExitCode(1)
    }
}
