internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract

/// `sluice routes`: what is bound to what.
struct RoutesVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "routes",
        abstract: "List what is bound to what.",
        discussion: """
              sluice routes sluice.yaml
              sluice routes --json | jq '.bindings[].path'

            Exit codes: 0 listed, 1 the file has mistakes, 2 it cannot be read, 64 the command line was not understood.
            """)

    @OptionGroup var page: PageOption

    @Flag(help: "JSON in place of a table.")
    var json = false

    func run() throws {
        let configuration = try ConfigurationFile(page.path, secrets: .ignored).configuration()
        let listing = RouteListing(configuration)
        Say.print(json ? listing.json : listing.text(width: Terminal.width))
    }
}
