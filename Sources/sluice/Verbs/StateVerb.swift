internal import ArgumentParser
internal import SluiceJSON

/// `sluice state`: how each resource of a daemon is.
struct StateVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "state",
        abstract: "Show each resource of bindings with a cache: how old its data is, its last error, what loads.",
        discussion: """
            Speaks to the daemon over its admin socket ('admin:' in the configuration), which only the daemon's own \
            user and root may use. A resource is one target of one binding; what is stored on disk or in a shared \
            store alone is not listed.

              sluice state
              sluice state --binding 'GET /fruits'
              sluice state --json | jq '.resources[] | select(.error != null)'

            Exit codes: 0 done, 1 there is no daemon, or it refused, 2 the configuration cannot be read, 64 the \
            command line was not understood.
            """)

    @Option(help: ArgumentHelp("Resources of a binding, such as 'GET /fruits/{id}'.", valueName: "binding"))
    var binding: String?

    @OptionGroup var admin: AdminOption

    /// Resources that are listed; 'sluice cache list' pages through more.
    private static let entriesMax = 1000

    func run() throws {
        let client = try admin.client()
        let entries = try client.ask(
            CacheEntry.List.self, "/cache", [("binding", binding), ("limit", "\(Self.entriesMax)")])
        let now = try client.ask(ResourceStates.self, "/state")
        let resources = ResourceState.all(entries.entries, now, of: binding)
        if admin.json {
            let document = JSONValue.object([("resources", .array(resources.map(\.json)))])
            return Say.output(Array((document.text + "\n").utf8))
        }
        if resources.isEmpty { return Say.print(entries.nothing(isSelected: binding != nil)) }
        var table = TextTable(["STATE", "AGE", "LEFT", "BINDING", "TARGET", "LAST ERROR"], numbers: [1, 2])
        for resource in resources { table.add(resource.row) }
        Say.print(table.text)
        if entries.next != nil { Say.print("\nthere are more; 'sluice cache list' goes on") }
    }
}
