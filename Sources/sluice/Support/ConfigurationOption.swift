internal import ArgumentParser
internal import Glibc

/// `--config FILE`, of a verb that has other arguments.
struct ConfigurationOption: ParsableArguments {
    static let defaultPath = "/etc/sluice/sluice.yaml"
    /// The environment variable that names another one.
    static let variable = "SLUICE_CONFIG"
    /// For the help of a verb.
    static let variableAndDefault = "$\(variable), or else \(defaultPath)"
    /// What is read where no file is named.
    static var usualPath: String {
        let named = getenv(variable).map { String(cString: $0) } ?? ""
        return named.isEmpty ? defaultPath : named
    }

    @Option(
        name: [.customLong("config"), .customShort("c")],
        help: ArgumentHelp("The configuration file. (default: \(variableAndDefault))", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var named: String?

    var path: String { named ?? Self.usualPath }
}
