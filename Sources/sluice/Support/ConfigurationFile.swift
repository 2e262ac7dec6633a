internal import ArgumentParser
internal import Foundation
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway

/// A configuration file on its way to a route table, and how its mistakes are told.
struct ConfigurationFile {
    let path: String
    private let environment = ProcessInfo.processInfo.environment

    init(_ path: String) {
        self.path = path
    }

    /// Reads it, as it is now.
    func read() throws(UnreadableFile) -> Loaded {
        try ConfigurationReader(
            path: path, credentialsDirectory: environment["CREDENTIALS_DIRECTORY"], environment: environment
        ).read()
    }

    /// Reads it and says what is odd.
    /// - Throws: exit code 1 with every mistake on standard error, or 2 where the file cannot be read.
    func configuration() throws -> SluiceContract.Configuration {
        let loaded = try readOrExit()
        for warning in loaded.warnings { Say.error(Self.text(warning, "warning: ")) }
        guard let configuration = loaded.configuration else {
            throw Say.failure(loaded.mistakes.map { Self.text($0) }.joined(separator: "\n"))
        }
        return configuration
    }

    /// - Throws: exit code 2 where the file cannot be read.
    func readOrExit() throws -> Loaded {
        do throws(UnreadableFile) {
            return try read()
        } catch {
            throw Say.failure("sluice: \(error)", code: 2)
        }
    }

    /// - Throws: exit codes as ``configuration()`` does.
    func table() throws -> RouteTable {
        let configuration = try configuration()
        do throws(RouteTable.CompileError) {
            return try RouteTable(configuration)
        } catch {
            throw Say.failure("\(path): \(error)")
        }
    }

    /// A mistake with the line of the file that it is about.
    static func text(_ mistake: Mistake, _ lead: String = "") -> String {
        lead + "\(mistake)" + (mistake.excerpt.map { "\n" + $0 } ?? "")
    }
}
