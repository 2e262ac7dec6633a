internal import ArgumentParser
internal import SluiceContract

/// `--config FILE`.
struct ConfigurationOption: ParsableArguments {
    static let defaultPath = "/etc/sluice/sluice.yaml"

    @Option(
        name: [.customLong("config"), .customShort("c")],
        help: ArgumentHelp("The configuration file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var path = Self.defaultPath

    /// - Throws: exit code 1 with every mistake on standard error, or 2 where the file cannot be read.
    func load() throws -> SluiceContract.Configuration {
        try ConfigurationFile(path).configuration()
    }
}
