internal import ArgumentParser

/// `sluice cache`: looks into the cache of a running daemon, and takes things out of it.
struct CacheVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "See what a daemon has stored, purge it, or be told why a request would hit or miss.",
        discussion: """
            Speaks to the daemon over its admin socket ('admin:' in the configuration), which only the daemon's own \
            user and root may use: 'sudo sluice cache list' beside the systemd unit.

              sluice cache list --binding 'GET /fruits'
              sluice cache show '/fruits?limit=3'
              sluice cache explain 'GET /fruits?limit=3'
              sluice cache purge --tag fruit --soft
              sluice cache stats

            Exit codes: 0 done, 1 there is no such answer, no daemon, or it refused, 2 the configuration cannot be \
            read, 64 the command line was not understood.
            """,
        subcommands: [
            CacheListVerb.self, CacheShowVerb.self, CachePurgeVerb.self, CacheExplainVerb.self, CacheStatsVerb.self,
        ])
}
