internal import ArgumentParser

/// `sluice cache stats`.
struct CacheStatsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count what is stored, and what became of requests since the start.")

    @OptionGroup var admin: AdminOption

    private struct Stats: Decodable {
        var entries: Int
        var bytes: Int
        var bytesMax: Int
        var hits: Int
        var misses: Int
        var collapsed: Int
        var stored: Int
        var validated: Int
        var evictions: Int
        var purges: Int
    }

    func run() throws {
        if admin.json {
            return Say.output(try admin.client().ask("/cache/stats"))
        }
        let stats = try admin.client().ask(Stats.self, "/cache/stats")
        let asked = stats.hits + stats.misses
        let share = asked > 0 ? " (\(stats.hits * 100 / asked) % of \(asked))" : ""
        Say.print(
            """
            entries    \(stats.entries)
            memory     \(CacheEntry.size(stats.bytes)) of \(CacheEntry.size(stats.bytesMax))
            hits       \(stats.hits)\(share)
            misses     \(stats.misses), \(stats.collapsed) of them waited for another's request
            stored     \(stats.stored)
            validated  \(stats.validated)
            evicted    \(stats.evictions)
            purges     \(stats.purges)
            """)
    }
}
