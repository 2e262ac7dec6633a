internal import ArgumentParser
internal import Glibc

/// `--config FILE`, of a verb that has other arguments.
struct ConfigurationOption: ParsableArguments {
    static let defaultPath = "/etc/sluice/sluice.yaml"
    /// The environment variable that names another one.
    static let variable = "SLUICE_CONFIG"
    /// What is read where no file is named.
    static var usualPath: String {
        let named = getenv(variable).map { String(cString: $0) } ?? ""
        return named.isEmpty ? defaultPath : named
    }

    @Option(
        name: [.customLong("config"), .customShort("c")],
        help: ArgumentHelp("The configuration file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var path = Self.usualPath
}
