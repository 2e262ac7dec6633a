internal import ArgumentParser

/// `sluice cache show`.
struct CacheShowVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a stored answer with its fields and the beginning of its body.",
        discussion: """
              sluice cache show '/fruits?limit=3'
              sluice cache show 5f0c…    (32 digits, as the list shows them)
            """)

    @Argument(help: ArgumentHelp("The local target that was asked for, or a key.", valueName: "target or key"))
    var name: String

    @OptionGroup var admin: AdminOption

    func run() throws {
        let client = try admin.client()
        let query: [(name: String, value: String?)] = [(name.hasPrefix("/") ? "target" : "key", name)]
        if admin.json {
            return Say.output(try client.ask("/cache/entry", query))
        }
        let list = try client.ask(CacheEntry.List.self, "/cache/entry", query)
        Say.print(list.entries.map(\.page).joined(separator: "\n\n"))
    }
}
