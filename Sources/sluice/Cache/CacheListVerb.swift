internal import ArgumentParser

/// `sluice cache list`.
struct CacheListVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List stored answers.",
        discussion: """
            All selections together narrow the list. Its order says nothing. What lies on disk or in a shared store \
            alone is not listed: it comes into memory once it is asked for.

              sluice cache list
              sluice cache list --tag fruit --state stale --json | jq -r '.entries[].key'
            """)

    @OptionGroup var selection: CacheSelection

    @Option(help: ArgumentHelp("fresh or stale.", valueName: "state"))
    var state: String?

    @Option(help: ArgumentHelp("How many, 1000 at most.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("Go on behind an earlier list: what it gave as 'next'.", valueName: "next"))
    var after: String?

    @OptionGroup var admin: AdminOption

    func run() throws {
        let client = try admin.client()
        let query = selection.query + [("state", state), ("limit", limit.map { "\($0)" }), ("after", after)]
        if admin.json {
            return Say.output(try client.ask("/cache", query))
        }
        let list = try client.ask(CacheEntry.List.self, "/cache", query)
        if list.entries.isEmpty {
            let isSelected = selection.count > 0 || state != nil || after != nil
            return Say.print(list.nothing(isSelected: isSelected))
        }
        var table = TextTable(
            ["STATE", "STATUS", "SIZE", "AGE", "LEFT", "HITS", "TARGET", "BINDING", "TAGS", "KEY"],
            numbers: [1, 2, 3, 4, 5])
        for entry in list.entries {
            table.add([
                entry.state, "\(entry.status)", entry.size, "\(entry.age) s", "\(entry.lifetime - entry.age) s",
                entry.recentHits >= 3 ? "3+" : "\(entry.recentHits)", entry.target, entry.binding ?? "-",
                entry.tags.isEmpty ? "-" : entry.tags.joined(separator: ","), entry.key,
            ])
        }
        Say.print(table.text)
        if let next = list.next { Say.print("… there is more: --after \(next), or a larger --limit") }
    }
}
