internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract

/// `FILE` and `--config FILE`, which mean the same: the page of a verb that has no other arguments.
struct PageOption: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The configuration file; the same as --config.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var positional: String?

    @Option(
        name: [.customLong("config"), .customShort("c")],
        help: ArgumentHelp(
            "The configuration file. (default: \(ConfigurationOption.variableAndDefault))", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var named: String?

    var path: String { positional ?? named ?? ConfigurationOption.usualPath }

    func validate() throws {
        if let positional, let named, positional != named {
            throw ValidationError("'\(positional)' and --config '\(named)' are two files; name one")
        }
    }
}
