internal import ArgumentParser

/// `--config FILE`, of a verb that has other arguments.
struct ConfigurationOption: ParsableArguments {
    static let defaultPath = "/etc/sluice/sluice.yaml"

    @Option(
        name: [.customLong("config"), .customShort("c")],
        help: ArgumentHelp("The configuration file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var path = Self.defaultPath
}
