internal import ArgumentParser
internal import Foundation
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway

/// `--config FILE`, and how its mistakes are told.
struct ConfigurationOption: ParsableArguments {
    @Option(name: [.customLong("config"), .customShort("c")], help: "The configuration file.")
    var path = "/etc/sluice/sluice.yaml"

    /// - Throws: exit code 1 with every mistake on standard error, or 2 where the file cannot be read.
    func load() throws -> SluiceContract.Configuration {
        let environment = ProcessInfo.processInfo.environment
        let loaded: Loaded
        do throws(UnreadableFile) {
            loaded = try ConfigurationReader(
                path: path, credentialsDirectory: environment["CREDENTIALS_DIRECTORY"], environment: environment
            ).read()
        } catch {
            throw Say.failure("sluice: \(error)", code: 2)
        }
        for warning in loaded.warnings { Say.error("warning: \(warning)") }
        guard let configuration = loaded.configuration else {
            throw Say.failure(loaded.mistakes.map { "\($0)" }.joined(separator: "\n"))
        }
        return configuration
    }

    func table() throws -> RouteTable {
        let configuration = try load()
        do {
            return try RouteTable(configuration)
        } catch {
            throw Say.failure("\(path): \(error)")
        }
    }
}

