internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceGateway

/// `sluice check FILE`: every mistake of a configuration file in one run.
struct CheckVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration file.",
        discussion: """
            Every mistake is told with file, line and column, what was expected and the nearest known name. An address \
            that another program has is a mistake; one that a running Sluice has is a warning.

              sluice check sluice.yaml
              sluice check sluice.yaml && systemctl reload sluice
              sluice check --explain sluice.yaml

            Exit codes: 0 the file is fine, 1 it has mistakes, 2 it cannot be read.
            """)

    @Argument(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var file = ConfigurationOption.defaultPath

    @Flag(help: "Print the effective configuration, with every default filled in and secrets redacted.")
    var explain = false

    @Flag(help: "Do not try the addresses under 'listen:'.")
    var skipPorts = false

    func run() throws {
        let loaded = try ConfigurationFile(file).readOrExit()
        for warning in loaded.warnings { Say.error(ConfigurationFile.text(warning, "warning: ")) }
        var mistakes = loaded.mistakes.map { ConfigurationFile.text($0) }
        if let configuration = loaded.configuration {
            do throws(RouteTable.CompileError) {
                _ = try RouteTable(configuration)
            } catch {
                mistakes.append("\(file): \(error)")
            }
            if !skipPorts {
                let ports = ListenCheck(configuration.listen, in: file)
                for warning in ports.warnings { Say.error(ConfigurationFile.text(warning, "warning: ")) }
                mistakes += ports.mistakes.map { ConfigurationFile.text($0) }
            }
        }
        for mistake in mistakes { Say.error(mistake) }
        guard mistakes.isEmpty, let configuration = loaded.configuration else {
            throw Say.failure("\(file): \(Self.count(mistakes.count, "mistake"))")
        }
        if explain {
            print(Explain.yaml(configuration), terminator: "")
        } else {
            let parts = [
                Self.count(configuration.bindings.count, "binding"),
                Self.count(configuration.upstreams.count, "upstream"), Self.count(configuration.types.count, "type"),
            ]
            print("\(file): \(parts.joined(separator: ", ")), no mistakes")
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
