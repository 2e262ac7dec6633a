internal import ArgumentParser
internal import Logging
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO
internal import SluiceSigning

/// One run of the daemon, from the command line to its end.
struct ServedPage {
    let path: String
    let listen: [ListenAddress]
    let source: AnswerSource

    static func checkReadable(_ path: String) throws {
        if path == ConfigurationFile.standardInput {
            throw ValidationError("a reload reads the configuration again, which standard input does not allow")
        }
    }

    func run() throws {
        // Before there is any secret in it.
        let memory = ProcessMemory.keepPrivate()
        // Both before there are other threads: one changes their signals, the other the environment.
        Signals.hold()
        let service = ServiceManager.fromEnvironment()
        var file = ConfigurationFile(path, secrets: source.secrets)
        file.source = source
        let loaded = try file.readOrExit()
        guard let configuration = loaded.configuration else { throw Report.failure(loaded.mistakes) }
        let places = ListeningPlaces(service, given: listen.map(\.address))
        let log = configuration.log
        let output = LogOutput(log)
        LoggingSystem.bootstrap { LogBackend(label: $0, level: log.level, output: output) }
        let logger = Logger(label: "sluice")
        for warning in loaded.warnings { logger.warning("\(warning)") }
        Self.tell(memory, logger)
        source.tell(configuration, logger)
        do {
            let daemon = try Daemon(
                configuration, from: file, service: service, places: places, logger: logger, output: output,
                recording: try source.writer(logger))
            try daemon.start()
            Signals.obey(daemon)
        } catch {
            output.flush(within: .seconds(1))
            throw Self.failure(error, places.arrange(configuration), file)
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

    /// If an address is taken, mostly a running daemon has it.
    private static func failure(
        _ error: any Error, _ configuration: SluiceContract.Configuration, _ source: ConfigurationFile
    ) -> ExitCode {
        let isInUse = (error as? Server.StartFailure)?.isInUse ?? false
        guard isInUse else { return Say.failure("sluice: \(error)") }
        let listeners = configuration.listeners
        var running = ListenCheck(listeners, in: source).warnings.map { finding in
            finding.message + (finding.hint.map { "; \($0)" } ?? "")
        }
        if running.isEmpty { running = ListenCheck.socketsOfSluice(listeners) }
        if running.isEmpty { return Say.failure("sluice: \(error)") }
        for words in running { Say.error("sluice: \(words)") }
        return ExitCode(1)
    }
}
