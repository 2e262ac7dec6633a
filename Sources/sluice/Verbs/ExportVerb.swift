internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract

/// `sluice export`: a configuration in other words.
struct ExportVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a configuration in other words.",
        discussion: """
            Exit codes: 0 written, 1 the file has mistakes or the output cannot be written, 2 the file cannot be read, \
            64 the command line was not understood.
            """,
        subcommands: [ExportSwiftVerb.self])
}

/// `sluice export swift`: the bindings as properties of SluiceClient.
struct ExportSwiftVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the bindings as properties of a Swift program.",
        discussion: """
            Types become structs and enums, and each binding with a type becomes a property of SluiceClient (@Rest). \
            What no property can say stands in a comment.

              sluice export swift sluice.yaml > Sources/App/Bindings.swift

            Exit codes: 0 written, 1 the file has mistakes or the output cannot be written, 2 the file cannot be read, \
            64 the command line was not understood.
            """)

    @OptionGroup var page: PageOption

    func run() throws {
        let configuration = try ConfigurationFile(page.path, secrets: .ignored).configuration()
        let name = page.path.split(separator: "/").last.map(String.init) ?? page.path
        Say.print(SwiftExport.source(configuration, from: name), terminator: "")
    }
}
