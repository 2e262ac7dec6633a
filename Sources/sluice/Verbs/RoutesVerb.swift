internal import ArgumentParser
internal import SluiceContract

/// `sluice routes`: what is bound to what.
struct RoutesVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List what is bound to what.",
        discussion: """
              sluice routes sluice.yaml
              sluice routes --json | jq '.bindings[].path'
            """)

    @Argument(
        help: ArgumentHelp("The configuration file; the same as --config.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var positional: String?

    @OptionGroup var file: ConfigurationOption

    @Flag(help: "JSON in place of a table.")
    var json = false

    func run() throws {
        let configuration = try ConfigurationFile(positional ?? file.path).configuration()
        let listing = RouteListing(configuration)
        print(json ? listing.json : listing.table())
    }
}
