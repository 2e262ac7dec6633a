internal import ArgumentParser

/// `sluice cache purge`.
struct CachePurgeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Take stored answers out, or mark them stale.",
        discussion: """
            One selection at a time. What is on its way from an upstream while the purge comes is not stored past it. \
            With --soft the answers stay: the upstream is asked whether they are still right, and until it has said so \
            they are served where stale answers may be (stale-while-revalidate, stale-if-error).

              sluice cache purge '/fruits?limit=3'
              sluice cache purge --binding 'GET /fruits'
              sluice cache purge --tag fruit --soft
              sluice cache purge --all
            """)

    @OptionGroup var selection: CacheSelection

    @Flag(help: "Everything.")
    var all = false

    @Flag(help: "Mark stale in place of taking out.")
    var soft = false

    @OptionGroup var admin: AdminOption

    func validate() throws {
        guard selection.count + (all ? 1 : 0) == 1 else {
            throw ValidationError("say what to purge: a target, --binding, --tag, --group, --key, or --all")
        }
    }

    private struct Purged: Decodable {
        var purged: Int
    }

    func run() throws {
        let client = try admin.client()
        let query = selection.query + [("all", all ? "true" : nil), ("soft", soft ? "true" : nil)]
        if admin.json {
            return Say.output(try client.ask("/cache", query, by: "DELETE"))
        }
        let count = try client.ask(Purged.self, "/cache", query, by: "DELETE").purged
        Say.print("\(count) stored answer\(count == 1 ? "" : "s") \(soft ? "marked stale" : "purged")")
    }
}
